-- One row for each message that was or is being answered; the primary key is what keeps an answer from being doubled.
CREATE TABLE answers (
    question_id INTEGER PRIMARY KEY,
    channel_id INTEGER NOT NULL,
    guild_id INTEGER,
    author_id INTEGER NOT NULL,
    in_thread INTEGER NOT NULL,
    asked INTEGER NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('claimed', 'posted', 'withdrawn')),
    shape TEXT NOT NULL CHECK (shape IN ('card', 'pointer')),
    digest TEXT NOT NULL,
    answer_id INTEGER UNIQUE,
    claimed_at TEXT NOT NULL,
    posted_at TEXT,
    withdrawn_at TEXT,
    withdrawn_for TEXT CHECK (withdrawn_for IN ('edited', 'dismissed', 'deleted'))
);
CREATE INDEX answers_by_channel ON answers (channel_id, claimed_at);
CREATE INDEX answers_by_author ON answers (author_id, claimed_at);
CREATE INDEX answers_by_guild ON answers (guild_id);
CREATE INDEX answers_by_age ON answers (claimed_at);
CREATE INDEX answers_unfinished ON answers (claimed_at) WHERE state = 'claimed';

CREATE TABLE answer_records (
    question_id INTEGER NOT NULL REFERENCES answers (question_id) ON DELETE CASCADE,
    place INTEGER NOT NULL,  -- 0 is the record on the card, the others stand behind its buttons
    record_id TEXT NOT NULL,
    PRIMARY KEY (question_id, place)
) WITHOUT ROWID;
CREATE INDEX answer_records_by_record ON answer_records (record_id, question_id);

CREATE TABLE votes (
    question_id INTEGER NOT NULL REFERENCES answers (question_id) ON DELETE CASCADE,
    user_id INTEGER NOT NULL,
    record_id TEXT NOT NULL,
    vote TEXT NOT NULL CHECK (vote IN ('helpful', 'not_mine', 'dismissed')),
    voted_at TEXT NOT NULL,
    PRIMARY KEY (question_id, user_id, record_id)
) WITHOUT ROWID;
CREATE INDEX votes_by_record ON votes (record_id, vote);
CREATE INDEX votes_by_user ON votes (user_id);

-- Votes whose answers have passed their retention, without who and where; guild 0 stands for direct messages.
CREATE TABLE vote_totals (
    guild_id INTEGER NOT NULL,
    record_id TEXT NOT NULL,
    vote TEXT NOT NULL,
    votes INTEGER NOT NULL,
    PRIMARY KEY (guild_id, record_id, vote)
) WITHOUT ROWID;
CREATE INDEX vote_totals_by_record ON vote_totals (record_id, vote);
