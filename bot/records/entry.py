"""What the catalogue holds: whole records, and pages where no record was to be had."""

from bot.records.page import Page
from bot.records.record import Record

Entry = Record | Page
