CREATE TABLE opt_outs (
    user_id INTEGER PRIMARY KEY,
    since TEXT NOT NULL
);

-- Small things of the bot's own: the hash of the commands it registered, when it last purged.
CREATE TABLE meta (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID;

-- Every IDENTIFY of the last day: Discord resets the token of a bot that sends more than 1,000.
CREATE TABLE identifies (
    id INTEGER PRIMARY KEY,
    sent_at TEXT NOT NULL
);
CREATE INDEX identifies_by_age ON identifies (sent_at);
