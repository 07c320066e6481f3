-- Settings of a guild are name and JSON value, so that one log and one undo serve all of them.
CREATE TABLE guild_settings (
    guild_id INTEGER NOT NULL,
    name TEXT NOT NULL,
    value_json TEXT NOT NULL,
    PRIMARY KEY (guild_id, name)
) WITHOUT ROWID;

-- Edits of one form share their set; undoing takes back a whole set.
CREATE TABLE guild_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    guild_id INTEGER NOT NULL,
    change_set INTEGER NOT NULL,
    name TEXT NOT NULL,
    before_json TEXT,
    after_json TEXT,
    user_id INTEGER NOT NULL,
    changed_at TEXT NOT NULL,
    undoes INTEGER,  -- the set this one took back
    undone INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX guild_changes_by_guild ON guild_changes (guild_id, change_set);
