export interface Answer {
  status: number;
  /** The parsed JSON, as loose as JSON.parse leaves it; undefined for any other body. */
  body: ReturnType<typeof JSON.parse>;
  text: string;
  headers: Headers;
}

/** One HTTP request: an object goes as JSON, a string as it is. */
export async function send(
  url: string,
  method: string,
  body: unknown,
  headers: Record<string, string>,
): Promise<Answer> {
  const response = await fetch(url, {
    method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return {
    status: response.status,
    text,
    body: isJson ? JSON.parse(text) : undefined,
    headers: response.headers,
  };
}
