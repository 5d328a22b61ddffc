/** The default port of a Sentinel, and of a server. */
const SENTINEL_PORT = 26_379;
const SERVER_PORT = 6_379;

const SEVERAL_HOSTS =
  /^(?<scheme>rediss?)\+(?<form>sentinel|cluster):\/\/(?<user>[^@/?#]*@)?(?<hosts>[^@/?#]+)(?<path>\/[^?#]*)?(?<query>\?[^#]*)?$/;
/** The name of the master, and the number of the database. */
const MASTER = /^\/(?<master>[^/]+)(\/(?<db>\d{1,5}))?$/;

/** What REDIS_URL may look like, for messages. */
export const REDIS_FORMS =
  'must be a URL such as redis://user:password@host:6379/0, ' +
  'redis+sentinel://user:password@host:26379,host:26379/name or ' +
  'redis+cluster://user:password@host:6379,host:6379, with rediss in place of redis for TLS';

interface RedisHost {
  host: string;
  port: number;
}

interface Login {
  username: string | undefined;
  password: string | undefined;
}

interface Address extends Login {
  tls: boolean;
  /** The server, the Sentinels, or some nodes of the Cluster. */
  hosts: RedisHost[];
}

/** Where the queues' Redis is: one server, a master that Sentinels name, or a Cluster. */
export type RedisAddress =
  | (Address & { form: 'server' | 'cluster' })
  | (Address & {
      form: 'sentinel';
      /** As the Sentinels call it. */
      master: string;
      db: number;
      /** Login of the Sentinels, if they have one. */
      sentinelLogin: Login;
    });

/**
 * Reads a REDIS_URL: docs/deployment.md has its forms.
 * @returns undefined for any other text
 */
export function redisAddressOf(url: string): RedisAddress | undefined {
  try {
    const several = SEVERAL_HOSTS.exec(url)?.groups;
    return several === undefined ? oneServer(url) : severalHosts(several);
  } catch {
    return undefined; // a host, a port or a percent-encoding that cannot be read
  }
}

function oneServer(text: string): RedisAddress | undefined {
  const url = new URL(text);
  if (!['redis:', 'rediss:'].includes(url.protocol) || url.hostname === '') return undefined;
  const tls = url.protocol === 'rediss:';
  return { form: 'server', tls, hosts: [hostIn(url, SERVER_PORT)], ...loginIn(url) };
}

function severalHosts(parts: Record<string, string | undefined>): RedisAddress | undefined {
  const { scheme, form, user = '', hosts = '', path = '/', query = '' } = parts;
  const port = form === 'sentinel' ? SENTINEL_PORT : SERVER_PORT;
  const address = {
    tls: scheme === 'rediss',
    hosts: hosts.split(',').map((host) => hostIn(new URL(`redis://${host}`), port)),
    ...loginIn(new URL(`redis://${user}host`)),
  };
  if (address.hosts.some(({ host }) => host === '')) return undefined;
  if (form === 'cluster') {
    return path === '/' && query === '' ? { ...address, form: 'cluster' } : undefined;
  }

  const named = MASTER.exec(path)?.groups;
  const {
    sentinel_username: username,
    sentinel_password: password,
    ...others
  } = Object.fromEntries(new URLSearchParams(query));
  if (named?.master === undefined || Object.keys(others).length > 0) return undefined;
  const master = decodeURIComponent(named.master);
  const sentinelLogin = { username, password };
  return { ...address, form: 'sentinel', master, db: Number(named.db ?? 0), sentinelLogin };
}

function hostIn({ hostname, port }: URL, defaultPort: number): RedisHost {
  return { host: hostname.replaceAll(/^\[|\]$/g, ''), port: Number(port || defaultPort) };
}

function loginIn(url: URL): Login {
  return {
    username: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
  };
}
