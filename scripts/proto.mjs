// Makes src/engines/spark/connect/messages.ts from spark-connect.proto; needs no network. With --check it only compares, and fails when
// the file in the repository is not what would be made.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const root = resolve(import.meta.dirname, '..');
const folder = join(root, 'src/engines/spark/connect');
const target = join(folder, 'messages.ts');

const head = `// biome-ignore-all lint: generated
// biome-ignore-all format: generated
// Made from spark-connect.proto by \`node scripts/proto.mjs\`; do not edit.
`;

function generate() {
  const out = mkdtempSync(join(tmpdir(), 'schemalign-proto-'));
  try {
    const plugin = { local: [process.execPath, join(root, 'node_modules/@bufbuild/protoc-gen-es/bin/protoc-gen-es')] };
    const template = { version: 'v2', plugins: [{ ...plugin, out, opt: ['target=ts'] }] };
    const args = [join(root, 'node_modules/@bufbuild/buf/bin/buf'), 'generate', folder, '--template', JSON.stringify(template)];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`buf generate failed:\n${stderr}`);
    return head + readFileSync(join(out, 'spark-connect_pb.ts'), 'utf8');
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const made = generate();
if (!process.argv.includes('--check')) {
  writeFileSync(target, made);
} else if (readFileSync(target, 'utf8') !== made) {
  console.error('src/engines/spark/connect/messages.ts is not what spark-connect.proto gives: run `node scripts/proto.mjs`.');
  process.exitCode = 1;
}
