import type { DivergenceKind } from './kind.ts';

export const malformedFile: DivergenceKind = {
  code: 'SA302',
  name: 'malformed_file',
  title: 'A file is broken as a whole',
  summary: 'A compressed stream ends early or fails its checksum, or a file is cut off so that its structure cannot be trusted.',
  why:
    'A truncated gzip file is often read without any error: the reader returns the rows it could unpack, and the load succeeds ' +
    'with half of the data. Interrupted uploads make such files every day.',
  consequence:
    'Always an error; no policy allows it. Compressed files are checked whole, every member and checksum, before anything is ' +
    'committed. Nothing is changed.',
  fix:
    'Fetch the file again. If the producer still writes it, wait until it is complete; writing under another name and renaming ' +
    'at the end avoids this for good.',
  example: {
    file: 'orders.csv.gz',
    source: '(a gzip stream, cut after 900 bytes)',
    target: 'CREATE TABLE orders (id BIGINT NOT NULL, amount DECIMAL(12,2));',
    rules: null,
    found: {
      path: null,
      reason: 'truncated_compressed_stream',
      count: 1,
      says: 'orders.csv.gz ends in the middle of its gzip stream; nothing was loaded',
    },
  },
};
