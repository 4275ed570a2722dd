/** What keeps a run from reaching its server, in words and without secrets. */
import { createServer } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Fault } from '../../../src/core/fault.ts';
import { checkSupported } from '../../../src/engines/postgres/driver.ts';
import { makeScene, type Scene } from './database.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await makeScene();
  scene.place.write('a.csv', 'id\n1\n');
}, 60_000);
afterAll(() => scene.end());

const load = (url: string) => scene.place.run('load', 'a.csv', url, '--table', 't', '--key', 'id');

describe('a server that cannot be reached', () => {
  it.each([
    ['a wrong password', (url: string) => url.replace(/:[^:@]*@/, ':wr0ng-secret@'), 'ENGINE_CONNECT'],
    ['a closed port', (url: string) => url.replace(/:\d+\//, ':1/'), 'ENGINE_CONNECT'],
    ['a host that is none', (url: string) => url.replace('127.0.0.1', 'no-such-host.invalid'), 'ENGINE_CONNECT'],
    ['a database that is none', (url: string) => url.replace(/\/[^/]*$/, '/nowhere'), 'TARGET_URL'],
  ])('%s', async (_, change, code) => {
    const ran = await load(change(scene.url));
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining(`[${code}]`)]);
    const password = new URL(scene.url).password;
    for (const secret of [password, decodeURIComponent(password), 'wr0ng-secret']) expect(ran.stderr + ran.stdout).not.toContain(secret);
    expect(ran.stderr).not.toMatch(/\bat .*\.js:\d+/);
  });

  it('one that is no PostgreSQL server', async () => {
    const server = createServer((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
    const { port } = server.address() as { port: number };
    const ran = await load(`postgres://me:hidden@127.0.0.1:${port}/x`);
    server.close();
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('[ENGINE_CONNECT]')]);
    expect(ran.stderr).not.toContain('hidden');
  });
});

describe('a server that cannot be used', () => {
  // There is no older server to be had here, so what the check is told is made up.
  it('for its version', () => {
    expect(() => checkSupported(150_008, '15.8 (Debian)')).toThrow(Fault);
    expect(() => checkSupported(150_008, '15.8 (Debian)')).toThrow(/\[GAP\].*PostgreSQL 15\.8.*16 or newer/);
    expect(() => checkSupported(160_000, '16.0')).not.toThrow();
  });

  it('for the encoding of its texts', async () => {
    await scene.change(`CREATE DATABASE ${scene.database.name}_latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C' LOCALE_PROVIDER libc`);
    const ran = await load(`${scene.url}_latin`);
    await scene.change(`DROP DATABASE ${scene.database.name}_latin WITH (FORCE)`);
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringMatching(/\[GAP\].*LATIN1/)]);
  });

  it('for want of rights', async () => {
    await scene.change('CREATE TABLE locked_away (id int)', `CREATE ROLE guest_${scene.database.name} LOGIN PASSWORD 'guest pass'`);
    const guest = new URL(scene.url);
    guest.username = `guest_${scene.database.name}`;
    guest.password = 'guest pass';
    const ran = await scene.place.run('load', 'a.csv', guest.href, '--table', 'locked_away', '--key', 'id');
    await scene.database.drop();
    scene = await makeScene();
    expect([ran.exit, ran.stderr]).toEqual([2, expect.stringContaining('permission denied')]);
    expect(ran.stderr + ran.stdout).not.toMatch(/guest(%20| )pass/);
  });
});
