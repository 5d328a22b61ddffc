/** Bodies that cost as much as they can, each filling a route's limit. */
export function hostileBodies(limitBytes: number): Record<string, Buffer> {
  const fill = (text: string, bytes: number) => text.repeat(Math.floor(bytes / text.length));
  const keys = (bytes: number) =>
    Array.from({ length: Math.floor(bytes / 12) }, (_, i) => `"${String(i).padStart(7, '0')}":1`);
  return {
    deep: Buffer.from(fill('[', limitBytes / 2) + fill(']', limitBytes / 2)),
    wide: Buffer.from(`{"transactions":[${fill('0,', limitBytes - 30)}0]}`),
    'of empty objects': Buffer.from(`{"transactions":[${fill('{},', limitBytes - 30)}{}]}`),
    'one long string': Buffer.from(`{"metadata":"${fill('\\u0041', limitBytes - 30)}"}`),
    'many keys': Buffer.from(`{"metadata":{${keys(limitBytes - 30).join(',')}}}`),
    // As many as are parsed and validated.
    'many lines': Buffer.from(`{"products":[${fill('{"a":1,"b":2},', 40_000)}{}]}`),
  };
}

/** The body of `createTransactions` with as many orders and lines as it takes. */
export function largestBatch(cornerStoreId: string): Buffer {
  const product = { externalSKU: 'SKU-1', name: 'Refresco de cola 600 ml', quantity: 1 };
  const order = {
    cornerStoreId,
    totalAmount: 100,
    metadata: {},
    products: Array.from({ length: 22 }, () => product),
  };
  const transactions = Array.from({ length: 500 }, () => order);
  return Buffer.from(JSON.stringify({ driverId: 'd-1', transactions }));
}

/** The body of `recordOnboardingStep` with a PNG. */
export function hostileUpload(png: Buffer): Buffer {
  const document = { fileExtension: 'png', base64Content: png.toString('base64') };
  return Buffer.from(JSON.stringify({ step: 'SELFIE_IMAGE', document }));
}
