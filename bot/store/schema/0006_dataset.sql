-- The static dataset the catalogue is kept in step with, written in the transaction that takes a generation over: a
-- manifest that stands here is one whose records are served.
CREATE TABLE dataset (
    only INTEGER PRIMARY KEY CHECK (only = 1),
    base TEXT NOT NULL,
    version TEXT NOT NULL,
    manifest_json TEXT NOT NULL,
    etag TEXT,
    last_modified TEXT,
    synced_at TEXT NOT NULL,
    difference_json TEXT NOT NULL
);

-- The records that belong to the dataset: it alone changes and removes them, and it touches no others. `outline` is the
-- fingerprint of the compact form, by which a change is seen without the whole record; `whole` tells which is kept.
CREATE TABLE dataset_records (
    id TEXT PRIMARY KEY,
    repo TEXT NOT NULL,
    outline TEXT NOT NULL,
    whole INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX dataset_records_unfinished ON dataset_records (repo) WHERE whole = 0;

CREATE TABLE dataset_repositories (
    repo TEXT PRIMARY KEY,
    row_json TEXT NOT NULL,
    fetched INTEGER NOT NULL,  -- its whole records were read, and none has changed in outline since
    settled INTEGER NOT NULL,  -- they said the same as the compact index
    etag TEXT,
    last_modified TEXT
) WITHOUT ROWID;

-- Whose records are wanted whole; `*` stands for all. Kept apart from what was fetched: it is a person's wish.
CREATE TABLE dataset_choice (
    repo TEXT PRIMARY KEY
) WITHOUT ROWID;

CREATE TABLE articles (
    slug TEXT PRIMARY KEY,
    cluster_key TEXT NOT NULL,
    row_digest TEXT NOT NULL,  -- of its line in the list of articles: another one means that it has changed
    body_json TEXT NOT NULL
) WITHOUT ROWID;
CREATE INDEX articles_by_cluster ON articles (cluster_key);
