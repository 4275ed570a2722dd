import type { KindExample } from './kind.ts';

/** The table of an example, after which its job is called. */
export const tableOf = ({ target }: KindExample): string => /^CREATE TABLE (\w+)/.exec(target)?.[1] ?? '';

/** The command lines of an example, in order. */
export const commandsOf = (example: KindExample): readonly string[] => example.commands ?? [`schemalign load ${tableOf(example)}`];

/** The same as a session, with what is done by hand in between. */
export const stepsOf = (example: KindExample): readonly string[] =>
  commandsOf(example).flatMap((command, i) => [
    ...(i === 1 && example.meanwhile !== undefined ? [`(by hand: ${example.meanwhile})`] : []),
    `$ ${command}`,
  ]);
