import { type CodeEntry, error, warning } from './code-entry.ts'

/** Codes of the file itself. */
export const fileCodes = {
  // E0xx: the file itself
  'brand-not-found': error(
    'E001',
    'a folder with brand.ts or brand.json',
    'Name the folder of the brand, or make one with `hailstone-brand new`.',
  ),
  'brand-unreadable': error('E002', 'a file that can be read', 'Correct the line the message names.'),
  'not-plain-data': error(
    'E003',
    'plain data: text, whole numbers, true, false, null, lists and objects',
    'Write the value out; functions, classes, dates and other clever things have no place in a brand.',
  ),
  'schema-missing': error('E004', 'schema: 1', 'Add `schema: 1` as the first line of the brand.'),
  'schema-older': warning(
    'E005',
    'the newest schema version',
    'The brand was read as if migrated; `hailstone-brand upgrade` writes it so.',
  ),
  'schema-newer': error(
    'E006',
    'a schema version this program knows',
    'Bring the app up to date: `npm update`.',
  ),
  'unknown-key': error('E007', 'a key of the schema', 'Remove the key.'),
  'wrong-type': error('E008', 'another type of value', 'Give a value of the expected type.'),
  'required-missing': error('E009', 'a value', 'Fill it in.'),
  'value-not-allowed': error('E010', 'one of the allowed values', 'Choose one of the allowed values.'),
  'out-of-range': error('E011', 'a value in range', 'Choose a value in the range.'),
  'secret-in-file': error(
    'E012',
    'no secret of any kind',
    'Remove it, and treat the key as known to everybody: move what it guards to a new one.',
  ),
  'id-malformed': error(
    'E013',
    '2 to 31 characters: a lower-case letter, then lower-case letters, digits and hyphens',
    'Choose an id such as "acme-mining".',
  ),
  'id-differs-from-folder': error(
    'E014',
    'the name of the folder below brands/',
    'Rename the folder or change the id.',
  ),
  'dangerous-key': error('E015', 'keys of the schema', 'Remove the key.'),
  'environment-unknown': error('E016', 'dev, staging or prod', 'Use one of the three names of environments.'),
  'file-too-large': error('E017', 'at most 256 kB of text', 'Move pictures and fonts into assets/.'),
  'schema-malformed': error('E018', 'a whole number, 1 or more', 'Write `schema: 1`.'),
  'refused-by-app': error('E019', 'a value that the built app reads', 'Write the value in other words.'),
} as const satisfies Readonly<Record<string, CodeEntry>>
