/** Tells which record of a JSON document is no JSON, once the engine's parser has refused the document as a whole. */
import { isUtf8 } from 'node:buffer';
import { textOf } from './decode.ts';
import { type BrokenJson, JsonStructure } from './json-structure.ts';
import { checkSignal } from './read-bytes.ts';
import type { SourceFile } from './source-file.ts';

interface Start {
  readonly record: number;
  readonly line: number;
  /** Byte of the document. */
  readonly at: number;
}

/**
 * The first record that is no JSON by RFC 8259, or the place where brackets and strings stop closing, whichever comes first. Undefined when
 * the document is right. Holds one record in memory. @throws SOURCE_UNREADABLE, INTERRUPTED.
 */
export async function firstInvalidRecord(file: SourceFile, signal?: AbortSignal): Promise<BrokenJson | undefined> {
  const starts: Start[] = [];
  const structure = new JsonStructure(file.json === 'array' ? 'array' : 'objects', (record, line, at) => starts.push({ record, line, at }));
  let held = Buffer.alloc(0);
  let heldAt = 0;
  for await (const chunk of textOf(file, signal)) {
    checkSignal(signal);
    structure.feed(chunk);
    held = Buffer.concat([held, chunk]);
    for (let [first, next] = starts; first !== undefined && next !== undefined; [first, next] = starts) {
      const fault = faultOf(held.subarray(first.at - heldAt, next.at - heldAt), '');
      if (fault !== undefined) return broken(first, fault);
      starts.shift();
    }
    const from = (starts[0]?.at ?? heldAt) - heldAt;
    held = held.subarray(from);
    heldAt += from;
    if (structure.broken !== undefined) return structure.broken;
  }
  structure.end();
  if (structure.broken !== undefined || starts[0] === undefined) return structure.broken;
  const fault = faultOf(held, file.json === 'array' ? ']' : '');
  return fault === undefined ? undefined : broken(starts[0], fault);
}

const broken = ({ record, line }: Start, message: string): BrokenJson => ({ record, line, column: 1, message });

/** What is wrong with the bytes of one record, with what separates it from the next. */
function faultOf(bytes: Buffer, closing: string): string | undefined {
  if (!isUtf8(bytes)) return 'a record holds bytes that are no UTF-8';
  const text = trimmed(bytes.toString('utf8'), ', \t\r\n');
  try {
    JSON.parse(closing !== '' && text.endsWith(closing) ? trimmed(text.slice(0, -closing.length), ' \t\r\n') : text);
    return undefined;
  } catch {
    return 'a record is no valid JSON';
  }
}

/** Without these characters at its end. */
function trimmed(text: string, characters: string): string {
  let end = text.length;
  while (end > 0 && characters.includes(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}
