import { validateHeaderName, validateHeaderValue } from 'node:http';

/**
 * The headers in OTEL_EXPORTER_OTLP_HEADERS: `name=value`, several with commas between them, each part
 * percent-encoded (https://opentelemetry.io/docs/specs/otel/protocol/exporter/).
 * @throws Error for anything that is not a header; its message may hold the value
 */
export function collectorHeadersOf(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const middle = pair.indexOf('=');
      if (middle === -1) throw new Error('A header has a name and a value');
      const name = decodeURIComponent(pair.slice(0, middle).trim());
      const value = decodeURIComponent(pair.slice(middle + 1).trim());
      if (value === '') throw new Error('A header has a value');
      validateHeaderName(name);
      validateHeaderValue(name, value);
      return [name, value];
    }),
  );
}
