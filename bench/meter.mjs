// Preloaded into a measured process (`node --import`): as it ends, writes what the process used to the file named by BENCH_METER.
// The figures are the kernel's own for the whole process, all threads: getrusage(2), as `time` prints them.
import { writeFileSync } from 'node:fs';

const file = process.env.BENCH_METER;
process.on('exit', () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  writeFileSync(file, JSON.stringify({ cpu: (userCPUTime + systemCPUTime) / 1e6, peak: maxRSS / 1024 }));
});
