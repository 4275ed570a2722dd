import { type Batch, columnFromArray, tableFromColumns, tableFromIPC, tableToIPC, utf8 } from '@uwdata/flechette';
import { Fault } from '../../../core/fault.ts';
import type { Cell, Table } from './spark-client.ts';
import { dateText, decimalText, momentText, timeText } from './moment-text.ts';

/** Reads one value of a column, by its position in the batch. */
type Reader = (index: number) => Cell;
type Make = (batch: Batch<unknown>) => Reader;

// Numbers of the Arrow format's Type union; flechette's own constants have no types.
const nothing = 1;
const bool = 6;
const list = 12;
const struct = 13;
const map = 17;

const numbers: Make = (batch) => (i) => {
  const value = batch.at(i) as number;
  return Number.isFinite(value) ? value : String(value);
};
const asText: Make = (batch) => (i) => String(batch.at(i));

// A mark at the head of a text belongs to the text.
const utf8Decoder = new TextDecoder('utf-8', { ignoreBOM: true });

function bytesAt({ offsets, values }: Batch<unknown>, i: number): Uint8Array {
  return (values as Uint8Array).subarray(Number(offsets[i]), Number(offsets[i + 1]));
}

/** One reader for each kind of Arrow column that Spark sends. */
const makers: Readonly<Record<number, Make>> = {
  2: (batch) => ((batch.type as { bitWidth: number }).bitWidth === 64 ? asText(batch) : numbers(batch)),
  3: (batch) => ((batch.type as { precision: number }).precision === 1 ? singles(batch) : numbers(batch)),
  4: (batch) => (i) => Buffer.from(bytesAt(batch, i)).toString('hex').toUpperCase(),
  5: (batch) => (i) => utf8Decoder.decode(bytesAt(batch, i)),
  [bool]: (batch) => (i) => batch.at(i) as boolean,
  7: (batch) => {
    const { scale } = batch.type as { scale: number };
    return (i) => decimalText(batch.at(i) as bigint, scale);
  },
  8: (batch) => (i) => dateText(Number(batch.values[i])),
  9: (batch) => (i) => timeText(BigInt(batch.values[i] as number | bigint)),
  10: (batch) => {
    const zone = (batch.type as { timezone: string | null }).timezone === null ? '' : '+00';
    return (i) => momentText(batch.at(i) as bigint) + zone;
  },
  11: numbers,
  [list]: lists,
  [struct]: structs,
  [map]: lists,
  18: asText,
};

/** The shortest text that names the same 32-bit number: 0.1, not 0.10000000149011612. */
function singles(batch: Batch<unknown>): Reader {
  return (i) => {
    const value = batch.at(i) as number;
    if (!Number.isFinite(value)) return String(value);
    for (let digits = 1; digits < 9; digits += 1) {
      const shorter = Number(value.toPrecision(digits));
      if (Math.fround(shorter) === value) return shorter;
    }
    return value;
  };
}

/** Lists, and maps, which are lists of keys and values. */
function lists(batch: Batch<unknown>): Reader {
  const read = readerOf(batch.children[0]!);
  const { offsets } = batch;
  return (i) => {
    const from = Number(offsets[i]);
    return Array.from({ length: Number(offsets[i + 1]) - from }, (_, k) => read(from + k));
  };
}

function structs(batch: Batch<unknown>): Reader {
  const names = (batch.type as { children: readonly { name: string }[] }).children.map(({ name }) => name);
  const readers = batch.children.map(readerOf);
  return (i) => Object.fromEntries(names.map((name, k) => [name, readers[k]!(i)]));
}

function readerOf(batch: Batch<unknown>): Reader {
  if (batch.type.typeId === nothing) return () => null;
  const make = makers[batch.type.typeId];
  if (make === undefined) throw new Fault('GAP', `Spark sent a kind of column that cannot be read: number ${batch.type.typeId} of Arrow`);
  const read = make(batch);
  return batch.nullCount > 0 ? (i) => (batch.isValid(i) ? read(i) : null) : read;
}

/** The rows of one Arrow stream, exactly. */
export function readArrow(data: Uint8Array): Table {
  // Within a message the stream begins anywhere, and views of 64-bit numbers must not.
  const table = tableFromIPC(data.byteOffset % 8 === 0 ? data : data.slice(), {
    useBigInt: true,
    useDecimalInt: true,
    useBigIntTimestamp: true,
  });
  const columns = table.schema.fields.map(({ name }) => name);
  const rows: Cell[][] = [];
  const batchCount = table.children[0]?.data.length ?? 0;
  for (let b = 0; b < batchCount; b += 1) {
    const batches = table.children.map(({ data: parts }) => parts[b] as Batch<unknown>);
    const readers = batches.map(readerOf);
    const count = batches[0]?.length ?? 0;
    for (let i = 0; i < count; i += 1) rows.push(readers.map((read) => read(i)));
  }
  return { columns, rows };
}

/** An Arrow stream of columns of text. */
export function writeArrow(columns: readonly string[], rows: readonly (readonly (string | null)[])[]): Uint8Array {
  const made = columns.map(
    (name, k) =>
      [
        name,
        columnFromArray(
          rows.map((row) => row[k] ?? null),
          utf8(),
        ),
      ] as const,
  );
  const data = tableToIPC(tableFromColumns(made as never), { format: 'stream' });
  if (data === null) throw new Fault('BUG', 'rows could not be written as Arrow');
  return data;
}
