import { describe, expect, test } from 'vitest';
import { Fault } from '../../../core/fault.ts';
import { parseSparkAddress } from './address.ts';

const refusalOf = (text: string): Fault => {
  try {
    parseSparkAddress(text);
  } catch (error) {
    if (error instanceof Fault) return error;
  }
  throw new Error(`${text} was taken`);
};

describe('the connection string, as client-connection-string.md of Spark describes it', () => {
  test.each([
    ['sc://myhost.com', { host: 'myhost.com', port: 15002, tls: false }],
    ['sc://myhost.com:443/;use_ssl=true;token=ABCDEFG', { host: 'myhost.com', port: 443, tls: true, token: 'ABCDEFG' }],
    // "Setting this value enables SSL".
    ['sc://myhost.com:443/;token=ABCDEFG', { tls: true, token: 'ABCDEFG' }],
    ['sc://127.0.0.1:15002', { host: '127.0.0.1', port: 15002 }],
    ['sc://[::1]:80/', { host: '::1', port: 80 }],
    ['sc://h/;user_id=Martin;user_agent=my%20app', { userId: 'Martin', userAgent: 'my app' }],
    ['sc://h/;session_id=550e8400-e29b-41d4-a716-446655440000', { sessionId: '550e8400-e29b-41d4-a716-446655440000' }],
    ['sc://h', { maxMessageBytes: 128 * 1024 * 1024 }],
    ['sc://h/;grpc_max_message_size=134217729', { maxMessageBytes: 134217729 }],
    ['SC://HOST:1/', { host: 'host', port: 1 }],
    ['sc://h/;token=a%3Bb%3Dc=d', { token: 'a;b=c=d' }],
    ['sc://w:443/;token=t;x-databricks-cluster-id=0301-0300-abcdefab', { headers: { 'x-databricks-cluster-id': '0301-0300-abcdefab' } }],
  ])('%s', (text, parts) => {
    expect(parseSparkAddress(text)).toMatchObject(parts);
  });

  test.each(['localhost', '127.0.0.1', '127.1.2.3', '[::1]'])('a token may go to %s without TLS when that is asked for', (host) => {
    expect(parseSparkAddress(`sc://${host}/;token=abc;use_ssl=false`)).toMatchObject({ tls: false, token: 'abc' });
  });

  test.each(['example.com', '10.0.0.1', '128.0.0.1', '0.0.0.0', 'localhost.example.com', '127.0.0.1.example.com'])(
    'a token does not go to %s without TLS',
    (host) => {
      expect(refusalOf(`sc://${host}/;token=abc;use_ssl=false`).message).toContain('a token is sent without TLS only to this machine');
    },
  );

  test.each([
    ['sc://', 'host'],
    ['sc://:15002', 'host'],
    ['sc://h:0', '0 is no port'],
    ['sc://h:65536', '65536 is no port'],
    ['sc://h:port', 'host'],
    ['sc://a b', 'host'],
    ['sc://h/path', 'the path must be empty'],
    ['sc://h/path;token=x', 'the path must be empty'],
    ['sc://h?token=x', 'expected sc://host:port'],
    ['sc://h/;usessl=true', 'the parameter `usessl` is not known'],
    ['sc://h/;USE_SSL=true', 'the parameter `USE_SSL` is not known'],
    ['sc://h/;use_ssl=yes', '`use_ssl` must be true or false'],
    ['sc://h/;use_ssl=true;use_ssl=false', '`use_ssl` stands there twice'],
    ['sc://h/;user_id', 'not of the form key=value'],
    ['sc://h/;user_id=', '`user_id` is empty'],
    ['sc://h/;user_id=%zz', '`user_id` is not percent-encoded properly'],
    ['sc://h/;session_id=1', '`session_id` must be a UUID'],
    ['sc://h/;grpc_max_message_size=128MB', '`grpc_max_message_size` must be a number'],
    ['sc://h/;token=a%0d%0ax-evil:%201', '`token` holds other characters'],
    ['http://h:15002', 'expected sc://host:port'],
  ])('%s is refused', (text, words) => {
    const fault = refusalOf(text);
    expect(fault.code).toBe('TARGET_URL');
    expect(fault.message).toContain(words);
  });

  test.each([
    'sc://user:s3cretS3cret@h',
    'sc://h/;token=s3cretS3cret;use_ssl=false',
    'sc://h/;token=abc;s3cretS3cret',
    'sc://h/;token=abc;s3cretS3cret=1',
    'sc://h/;token=s3cretS3cret;user_id=%zz',
    'sc://h/s3cretS3cret',
    'sc://h/;token=s3cretS3cret%0a',
    'sc://h/;session_id=s3cretS3cret',
    'sc://s3cretS3cret=:1',
  ])('what may be a secret is not shown: %s', (text) => {
    const { message, fix } = refusalOf(text);
    expect(`${message} ${fix}`).not.toContain('s3cretS3cret');
  });
});
