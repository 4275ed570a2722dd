import type { DivergenceKind } from './kind.ts';

export const malformedRecord: DivergenceKind = {
  code: 'SA301',
  name: 'malformed_record',
  title: 'A record cannot be read',
  summary:
    'One record of a file is broken: too few or too many fields, a quote that is never closed, bytes that do not decode, ' +
    'invalid JSON, something else than an object, or the same key twice in one object.',
  why:
    'Readers that ignore errors drop such records without a word, and readers that pad missing fields shift values into the ' +
    'wrong columns. Both give a row count that looks right.',
  consequence:
    '`on_malformed: error` (built in) stops the load. `on_malformed: quarantine` sets the record aside with its raw text and ' +
    'its physical line, with a warning. Malformed records count as read and quarantined.',
  fix:
    'Open the named line. If all records fail, the dialect is wrong: name `delimiter`, `quote` or `encoding` under `source`. If ' +
    'a few fail, set `on_malformed: quarantine` and tell the producer.',
  example: {
    file: 'log.csv',
    source: 'id,text\n1,one\n2,two,too many\n',
    target: 'CREATE TABLE log (id BIGINT NOT NULL, text VARCHAR);',
    rules: 'on_malformed: quarantine',
    found: { path: null, reason: 'fields', count: 1, says: 'log.csv:3 has 3 fields where the header has 2; 1 record was quarantined' },
  },
};
