/** What a child inherits as it is: what Node and its TLS need, and nothing of Fiado's. */
const INHERITED = `PATH HOME TMPDIR TZ LANG LC_ALL NODE_ENV NODE_OPTIONS NODE_EXTRA_CA_CERTS
  SSL_CERT_FILE SSL_CERT_DIR`.split(/\s+/);

/** The part of our environment that children get as it is. */
export function inheritedEnvironment(env: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])),
  );
}
