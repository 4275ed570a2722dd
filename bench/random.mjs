// A small generator of pseudo-random numbers (sfc32 by Chris Doty-Humphrey): the same seed gives the same numbers everywhere.

/** @returns {(n: number) => number} draws a whole number from 0 to n - 1, n ≤ 2^32. */
export function makeDraw(seed) {
  let a = seed >>> 0;
  let b = Math.floor(seed / 2 ** 32) >>> 0;
  let c = 0x9e3779b9;
  let counter = 1;
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return sum >>> 0;
  };
  for (let i = 0; i < 16; i += 1) next();
  return (n) => Math.floor((next() / 2 ** 32) * n);
}
