/** What the terminal can do, and text that is safe to show on it. */
import { visible } from '../reports/visible.ts';
import type { Io, Stream } from './io.ts';
import type { Progress } from '../run/align.ts';

const plainWidth = 100;

/** Columns of a stream; a fixed width for files and pipes, so that the same run writes the same text. */
export function widthOf(stream: Stream): number {
  return stream.isTTY === true ? Math.max(stream.columns ?? 80, 20) : plainWidth;
}

/** Whether colour is wanted: NO_COLOR (https://no-color.org) rules over FORCE_COLOR, which rules over the kind of stream. */
export function colorOn(stream: Stream, env: Io['env']): boolean {
  if ((env.NO_COLOR ?? '') !== '') return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== '') return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env.TERM !== 'dumb';
}

/** Text of several lines whose characters a terminal cannot obey. */
export function harmless(text: string): string {
  return text.split('\n').map(visible).join('\n');
}

export interface ProgressLine {
  readonly update: (progress: Progress) => void;
  /** Wipes the line, for other text to come. */
  readonly clear: () => void;
}

const silent: ProgressLine = { update: () => undefined, clear: () => undefined };
const wipe = '\r\x1b[2K';
const betweenUpdatesMs = 100;

/** One line on standard error that says phase, rows and rate, on a terminal only; elsewhere nothing at all. */
export function progressLine(io: Io, quiet: boolean): ProgressLine {
  const { stderr, clock } = io;
  if (quiet || stderr.isTTY !== true || io.env.TERM === 'dumb') return silent;
  let phase = { name: '', since: 0 };
  let shownAt = Number.NEGATIVE_INFINITY;
  return {
    update: (progress) => {
      const now = clock();
      const isNew = progress.phase !== phase.name;
      if (isNew) phase = { name: progress.phase, since: now };
      if (!isNew && now - shownAt < betweenUpdatesMs) return;
      shownAt = now;
      stderr.write(wipe + progressText(progress, now - phase.since).slice(0, widthOf(stderr) - 1));
    },
    clear: () => {
      if (shownAt >= 0) stderr.write(wipe);
    },
  };
}

/** `stage  1,200,000 rows of 3,000,000 (40 %)  812,000 rows/s`. */
function progressText({ phase, rows, total, bytes }: Progress, elapsedMs: number): string {
  const parts = [visible(phase)];
  if (rows !== undefined) parts.push(`${grouped(rows)} rows${shareOf(rows, total)}`);
  if (bytes !== undefined) parts.push(`${grouped(Math.round(bytes / 1_000_000))} MB`);
  if (rows !== undefined && rows > 0 && elapsedMs >= 1000) parts.push(`${grouped(Math.round((rows / elapsedMs) * 1000))} rows/s`);
  return parts.join('  ');
}

function shareOf(rows: number, total: number | undefined): string {
  return total === undefined || total <= 0 ? '' : ` of ${grouped(total)} (${Math.min(100, Math.floor((rows / total) * 100))} %)`;
}

export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}
