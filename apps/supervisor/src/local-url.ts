/** Base URL of a process of ours, as it is reached from this machine. */
export function localUrl(host: string, port: number): string {
  // The wildcard addresses are for listening; Node and curl reach them through the loopback.
  const reached = host === '0.0.0.0' ? '127.0.0.1' : host === '::' ? '::1' : host;
  return `http://${reached.includes(':') ? `[${reached}]` : reached}:${port}`;
}
