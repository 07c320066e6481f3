-- One row for each message nobody could answer; groups are counted from the rows, so each message counts once.
CREATE TABLE questions (
    message_id INTEGER PRIMARY KEY,
    guild_id INTEGER,
    channel_id INTEGER NOT NULL,
    author_id INTEGER NOT NULL,
    fingerprint TEXT NOT NULL,
    -- the address of a message, never of a file: what the CDN serves is signed, expires, and is the paste itself
    jump_url TEXT NOT NULL CHECK (jump_url LIKE 'https://discord.com/channels/%'),
    seen_at TEXT NOT NULL,
    redacted_text TEXT  -- only where the guild has said that it wants texts kept
);
CREATE INDEX questions_by_group ON questions (guild_id, fingerprint, seen_at);
CREATE INDEX questions_by_author ON questions (author_id);
CREATE INDEX questions_by_age ON questions (seen_at);
