"""What the catalogue holds: whole records, pages where no record was to be had, outlines of what is not fetched yet."""

from bot.records.outline import Outline
from bot.records.page import Page
from bot.records.record import Record

Entry = Record | Page | Outline
