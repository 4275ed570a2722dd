/** Seeded chance: the same texts in every run. */

/** Mulberry32: uniform 32-bit numbers from a seed. */
export class Random {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A whole number from 0 to 2^32 - 1. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return (t ^ (t >>> 14)) >>> 0;
  }

  /** A whole number from `low` to `high`, both included. */
  int(low: number, high: number): number {
    return low + (this.bits() % (high - low + 1));
  }

  chance(share: number): boolean {
    return this.bits() < share * 2 ** 32;
  }

  pick<T>(items: readonly T[]): T {
    return items[this.int(0, items.length - 1)] as T;
  }

  /** Decimal digits, `low` to `high` of them. */
  digits(low: number, high: number): string {
    return this.text('0123456789', low, high);
  }

  /** Characters of an alphabet. */
  text(alphabet: string, low: number, high: number): string {
    const signs = [...alphabet];
    return Array.from({ length: this.int(low, high) }, () => this.pick(signs)).join('');
  }

  /** The text with ASCII blanks around it, sometimes. */
  blanks(text: string): string {
    return this.chance(0.9) ? text : this.text(' \t\n\v\f\r', 0, 2) + text + this.text(' \t\n\v\f\r', 0, 2);
  }

  /** The text with one or two small faults, sometimes. */
  edited(text: string, share: number): string {
    return this.chance(share) ? this.#edit(this.chance(0.3) ? this.#edit(text) : text) : text;
  }

  #edit(text: string): string {
    const signs = [...text];
    const at = this.int(0, signs.length);
    const strange = this.pick([
      '',
      '',
      ' ',
      '0',
      '9',
      '-',
      '+',
      '.',
      ',',
      ':',
      'T',
      'Z',
      'e',
      'x',
      '_',
      '/',
      '\t',
      '\u00a0',
      '\u202f',
      '\u0661',
      '\uff11',
      'é',
      '\0',
    ]);
    signs.splice(at, this.int(0, 1), strange);
    return signs.join('');
  }
}
