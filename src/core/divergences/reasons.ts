/** What lies behind a reason, and the line that settles it. */
export interface Reason {
  /** One sentence that completes "This value …" or "This record …". */
  readonly meaning: string;
  /** A line of YAML for the column, the job or its source; empty when no configuration settles it. */
  readonly fix: string;
}

const fetchAgain = '';

/** Every reason that a finding may carry. */
export const reasons = {
  out_of_range: { meaning: 'The number lies beyond what the target type can hold.', fix: 'on_invalid: quarantine' },
  scale: { meaning: 'The number has more non-zero decimals than the scale of the target.', fix: 'on_lossy: round' },
  too_long: { meaning: 'The text has more characters (Unicode code points) than the target allows.', fix: 'on_invalid: quarantine' },
  sub_microsecond: {
    meaning: 'The time is more precise than a microsecond, which is the finest that the target keeps.',
    fix: 'on_lossy: truncate',
  },
  offset_without_target_zone: {
    meaning: 'The text names an offset from UTC, but the target keeps no zone, so the instant would be lost.',
    fix: 'to_timezone: UTC',
  },
  missing_timezone: {
    meaning: 'The target is an instant, and neither the text nor a rule says in which zone the time is meant.',
    fix: 'timezone: UTC',
  },
  local_time_undefined: {
    meaning: 'The local time does not exist, or exists twice, in its zone: the clocks were changed at that hour.',
    fix: 'on_invalid: quarantine',
  },
  nul_character: { meaning: 'The text holds the character NUL, which not every engine can store.', fix: 'on_invalid: quarantine' },
  structure: {
    meaning: 'The shape differs: an object, an array and a single value do not stand for each other.',
    fix: 'on_invalid: quarantine',
  },
  exponent: {
    meaning: 'The number is written with an exponent, which in text often means that a spreadsheet has damaged an id.',
    fix: 'exponent: true',
  },
  duplicate_key_in_object: {
    meaning: 'The JSON object holds the same key twice, and either value could be meant.',
    fix: 'on_malformed: quarantine',
  },
  truncated_compressed_stream: { meaning: 'The compressed stream ends before its end mark: the file is incomplete.', fix: fetchAgain },
  corrupt_compressed_stream: {
    meaning: 'The compressed stream fails its checksum or cannot be unpacked: bytes have changed.',
    fix: fetchAgain,
  },
  truncated_file: { meaning: 'The file ends in the middle of its structure: it is incomplete.', fix: fetchAgain },
  fields: { meaning: 'The record has another number of fields than the header.', fix: 'on_malformed: quarantine' },
  quote: { meaning: 'A quoted field is never closed, or text follows its closing quote.', fix: 'on_malformed: quarantine' },
  encoding: { meaning: 'The bytes are not valid in the encoding of the source.', fix: 'encoding: latin-1' },
  json: { meaning: 'The text is not valid JSON.', fix: 'on_malformed: quarantine' },
  not_an_object: { meaning: 'The JSON value is valid but no object, so it has no columns.', fix: 'on_malformed: quarantine' },
} as const satisfies Record<string, Reason>;

export type ReasonName = keyof typeof reasons;

/** The reason of that name, or undefined; safe for names such as `constructor`. */
export function reasonOf(name: string): Reason | undefined {
  return Object.hasOwn(reasons, name) ? reasons[name as ReasonName] : undefined;
}
