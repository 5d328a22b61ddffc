import { redisAddressOf } from './redis-address';

it.each([
  ['redis://localhost', { form: 'server', tls: false, hosts: [{ host: 'localhost', port: 6379 }] }],
  [
    'rediss://user:p%40ss@redis.example.com:6380/3',
    {
      form: 'server',
      tls: true,
      hosts: [{ host: 'redis.example.com', port: 6380 }],
      username: 'user',
      password: 'p@ss',
    },
  ],
  [
    'redis+sentinel://user:p%40ss%2C%2F@h1,[::1]:26380/my%20master/3?sentinel_username=s&sentinel_password=%26',
    {
      form: 'sentinel',
      tls: false,
      hosts: [
        { host: 'h1', port: 26_379 },
        { host: '::1', port: 26_380 },
      ],
      username: 'user',
      password: 'p@ss,/',
      master: 'my master',
      db: 3,
      sentinelLogin: { username: 's', password: '&' },
    },
  ],
  [
    'rediss+cluster://:p@h1:7001,h2',
    {
      form: 'cluster',
      tls: true,
      hosts: [
        { host: 'h1', port: 7001 },
        { host: 'h2', port: 6379 },
      ],
      username: undefined,
      password: 'p',
    },
  ],
])('%s is read', (url, address) => {
  expect(redisAddressOf(url)).toMatchObject(address);
});

it.each([
  'localhost:6379',
  'http://localhost',
  'redis://',
  'redis://h1:6379,h2:6379',
  'redis+sentinel://h1:26379',
  'redis+sentinel://h1:26379/',
  'redis+sentinel://h1:26379/mymaster/zero',
  'redis+sentinel://h1:26379/mymaster?password=x',
  'redis+sentinel://h1,,h2/mymaster',
  'redis+sentinel://h1:port/mymaster',
  'redis+sentinel://:%zz@h1/mymaster',
  'redis+cluster://h1:6379/0',
  'redis+cluster://h1:6379?x=1',
  'redis+cluster://',
  'redis+replica://h1:6379',
])('%s is refused', (url) => {
  expect(redisAddressOf(url)).toBeUndefined();
});
