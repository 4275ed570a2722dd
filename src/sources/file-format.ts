/** Tells the format of a file from what the user said, its name, or its first bytes, and binary files from text. */
import { Fault } from '../core/fault.ts';
import type { FileSource, SourceFormat } from '../core/model/policy.ts';
import type { TextEncoding } from './source-file.ts';

const formatOfExtension: ReadonlyMap<string, SourceFormat> = new Map([
  ['.csv', 'csv'],
  ['.tsv', 'csv'],
  ['.txt', 'csv'],
  ['.ndjson', 'ndjson'],
  ['.jsonl', 'ndjson'],
  ['.json', 'json'],
  ['.parquet', 'parquet'],
]);
const compressedExtension = /\.(gz|gzip|zst|zstd)$/iu;

/** What a name promises about compression. */
export function compressionOfName(path: string): 'gzip' | 'zstd' | undefined {
  const extension = compressedExtension.exec(path)?.[1]?.toLowerCase();
  if (extension === undefined) return undefined;
  return extension.startsWith('g') ? 'gzip' : 'zstd';
}

/** What a name promises about the format, a compression's extension aside. */
export function formatOfName(path: string): SourceFormat | undefined {
  const extension = /\.[^./\\]*$/u.exec(path.replace(compressedExtension, ''))?.[0].toLowerCase();
  const format = extension === undefined ? undefined : formatOfExtension.get(extension);
  return format === 'parquet' && compressedExtension.test(path) ? undefined : format;
}

/** Whether a file of this name may hold the wanted format; NDJSON is often called `.json`. */
export function fitsFormat(path: string, wanted: SourceFormat): boolean {
  const format = formatOfName(path);
  return format === wanted || (wanted === 'ndjson' && format === 'json');
}

/** The format of a file: named, else by extension, else by the first character that is no blank. */
export function formatOf(source: FileSource, path: string, head: Buffer): SourceFormat {
  const known = source.format ?? formatOfName(path);
  if (known !== undefined) return known;
  if (head.subarray(0, 4).toString('latin1') === 'PAR1') return 'parquet';
  // Also finds the first character of UTF-16, whose zero bytes are passed over.
  const first = /[^\s\0\ufeff\xef\xbb\xbf\xff\xfe]/u.exec(head.toString('latin1', 0, 4096))?.[0];
  return first === '{' || first === '[' ? 'json' : 'csv';
}

interface Signature {
  readonly name: string;
  readonly at: number;
  readonly text: string;
  /** What to do, where the bytes could be read all the same. */
  readonly fix?: string;
}

const fixes = { parquet: 'Name the format: `--format parquet`.', compression: 'Set `compression: auto`.' };

const signatures: readonly Signature[] = [
  { name: 'a Parquet file', at: 0, text: 'PAR1', fix: fixes.parquet },
  { name: 'an Excel workbook or another ZIP archive', at: 0, text: 'PK\x03\x04' },
  { name: 'an empty ZIP archive', at: 0, text: 'PK\x05\x06' },
  { name: 'an old Excel workbook or another OLE document', at: 0, text: '\xd0\xcf\x11\xe0' },
  { name: 'a PDF document', at: 0, text: '%PDF-' },
  { name: 'a PNG image', at: 0, text: '\x89PNG' },
  { name: 'a JPEG image', at: 0, text: '\xff\xd8\xff' },
  { name: 'a GIF image', at: 0, text: 'GIF8' },
  { name: 'gzip', at: 0, text: '\x1f\x8b', fix: fixes.compression },
  { name: 'zstd', at: 0, text: '\x28\xb5\x2f\xfd', fix: fixes.compression },
  { name: 'bzip2', at: 0, text: 'BZh' },
  { name: 'xz', at: 0, text: '\xfd7zXZ\0' },
  { name: 'a 7z archive', at: 0, text: '7z\xbc\xaf' },
  { name: 'an Avro file', at: 0, text: 'Obj\x01' },
  { name: 'an ORC file', at: 0, text: 'ORC' },
  { name: 'an Arrow file', at: 0, text: 'ARROW1' },
  { name: 'a SQLite database', at: 0, text: 'SQLite format 3\0' },
  { name: 'a DuckDB database', at: 8, text: 'DUCK' },
  { name: 'a program', at: 0, text: '\x7fELF' },
  { name: 'a tar archive', at: 257, text: 'ustar' },
];
/** Signatures that no text starts with, so that they are believed even if the rest looks like text. */
const certain = /^(?:PK\x03\x04|PK\x05\x06|%PDF-|\x89PNG|SQLite format 3\0|\x7fELF|\x1f\x8b|\x28\xb5\x2f\xfd)/u;

/** What the bytes seem to be by their signature, if it is known. */
export function signatureOf(head: Buffer): Signature | undefined {
  return signatures.find(({ at, text }) => head.subarray(at, at + text.length).toString('latin1') === text);
}

/** More control characters than this among the first bytes make a file binary. */
const toleratedShare = 0.03;
const toleratedCount = 8;
const sampleBytes = 8192;

/** Refuses bytes that are no text. @param head decompressed, not decoded. @throws SOURCE_FORMAT that says what the file seems to be. */
export function checkText(head: Buffer, encoding: TextEncoding, shown: string): void {
  const place = { file: shown };
  if (encoding === 'utf-16le' || encoding === 'utf-16be') return;
  const sample = head.subarray(0, sampleBytes);
  const signature = signatureOf(sample);
  const controls = sample.filter(isControl).length;
  const binary = controls > toleratedCount && controls > sample.length * toleratedShare;
  if (!binary && !certain.test(sample.toString('latin1', 0, 16))) return;
  if (signature === undefined && looksLikeUtf16(sample)) {
    throw new Fault('SOURCE_FORMAT', 'this seems to be UTF-16, and neither a byte-order mark nor the configuration says so', {
      place,
      fix: 'Name the encoding: `--encoding utf-16`.',
    });
  }
  const fix = signature?.fix === undefined ? {} : { fix: signature.fix };
  throw new Fault('SOURCE_FORMAT', `this is no text; it seems to be ${signature?.name ?? 'a binary file'}`, { place, ...fix });
}

const jsonStart = /^\ufeff?\s*(?:\[\s*)?\{\s*"(?:[^"\\]|\\.)*"\s*:/u;
const jsonLines = /^\ufeff?\s*\{[^\n]*\}\s*\n\s*\{/u;

/** Refuses JSON where the name alone said that it is CSV. @throws SOURCE_FORMAT */
export function checkNotJson(head: Buffer, source: FileSource, shown: string): void {
  if (source.format !== undefined || source.delimiter !== undefined) return;
  const text = head.toString('utf8');
  if (!jsonStart.test(text)) return;
  const fix = `Name the format: \`--format ${jsonLines.test(text) ? 'ndjson' : 'json'}\`.`;
  throw new Fault('SOURCE_FORMAT', 'this file is called CSV, and seems to be JSON', { place: { file: shown }, fix });
}

function isControl(byte: number): boolean {
  return byte < 0x09 || (byte > 0x0d && byte < 0x20 && byte !== 0x1b);
}

/** Zeros in most of the even or most of the odd places. */
function looksLikeUtf16(sample: Buffer): boolean {
  const zeros = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) zeros[index % 2]! += 1;
  const half = sample.length / 2;
  return (zeros[0]! > half * 0.7 && zeros[1]! < half * 0.1) || (zeros[1]! > half * 0.7 && zeros[0]! < half * 0.1);
}
