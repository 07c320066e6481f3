-- What matching needs of every record, apart from the rest, so that reading all of it touches a tenth of the file.
-- WITHOUT ROWID keeps it in the order of ids, which is the order it is read in.
CREATE TABLE record_facts (
    id TEXT PRIMARY KEY,
    fingerprint TEXT NOT NULL,
    repo TEXT NOT NULL,
    slug TEXT,
    error_code TEXT,
    error_class TEXT,
    http_status INTEGER,
    error_type TEXT,
    file_path TEXT,
    line_number INTEGER,
    message TEXT NOT NULL,
    pattern TEXT NOT NULL,
    tags_json TEXT NOT NULL,
    related_json TEXT NOT NULL,
    analyzed_sha TEXT NOT NULL
) WITHOUT ROWID;

-- Not unique: upstream gives a record a new id when its path changes, and the old one keeps the slug until it is deleted.
CREATE INDEX record_facts_by_slug ON record_facts (repo, slug);

-- The catalogue's version is made of these two; the index alone holds them, without messages and patterns.
CREATE INDEX record_facts_by_fingerprint ON record_facts (id, fingerprint);

CREATE TABLE record_bodies (
    id TEXT PRIMARY KEY,
    body_json TEXT NOT NULL,
    source TEXT NOT NULL,
    imported_at TEXT NOT NULL
);

-- One row, written in the transaction that changes the records: what is reported is what is served.
CREATE TABLE catalogue (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    version TEXT NOT NULL,
    changed_at TEXT
);
