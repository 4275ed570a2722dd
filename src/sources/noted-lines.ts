/** Remembers on which physical line each wanted record starts. */

export interface NotedLines {
  /** First physical line of each wanted record that was seen. */
  readonly lines: ReadonlyMap<number, number>;
  /** Takes the records in order. */
  readonly note: (record: number, line: number) => void;
}

/** @param want record numbers, ascending. */
export function notedLines(want: readonly number[]): NotedLines {
  const lines = new Map<number, number>();
  let next = 0;
  const note = (record: number, line: number): void => {
    while (next < want.length && want[next]! < record) next += 1;
    if (want[next] === record) lines.set(record, line);
  };
  return { lines, note };
}
