-- Records that the dataset brought in outline, whole, as they were fetched for a card. They stand beside the catalogue:
-- nothing is matched by them, so its version, and with it patterns and index, stays what it is. `outline` and `row_json`
-- are those of dataset_records and dataset_repositories at that moment; with another outline it is not the record any
-- more, with another line of the repository it may have changed.
CREATE TABLE completed_records (
    id TEXT PRIMARY KEY,
    outline TEXT NOT NULL,
    row_json TEXT NOT NULL,
    body_json TEXT NOT NULL,
    completed_at TEXT NOT NULL
);
