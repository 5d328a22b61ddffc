import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The callers in the story. */
export interface Keys {
  wholesaler: string;
  wholesalerId: string;
  provider: string;
  providerName: string;
  ops: string;
}

interface DemoFile {
  wholesaler?: { wholesalerId: string; apiKey: string };
  paymentProvider?: { name: string; apiKey: string };
}

/**
 * The keys that `npm start` left in its data folder.
 * @param opsKey the ops key where it is not one that the start made
 * @throws Error with a hint if there are none
 */
export async function readKeys(dataDir: string, opsKey: string | undefined): Promise<Keys> {
  const demo = await readJson<DemoFile>(join(dataDir, 'demo.json'));
  const secrets = await readJson<{ OPS_API_KEY?: string }>(join(dataDir, 'secrets.json'));
  const ops = opsKey ?? secrets?.OPS_API_KEY;
  if (demo?.wholesaler === undefined || demo.paymentProvider === undefined || ops === undefined) {
    throw new Error(`no demo keys in ${dataDir}: run \`npm start\` in another terminal first`);
  }
  return {
    wholesaler: demo.wholesaler.apiKey,
    wholesalerId: demo.wholesaler.wholesalerId,
    provider: demo.paymentProvider.apiKey,
    providerName: demo.paymentProvider.name,
    ops,
  };
}

async function readJson<Content>(path: string): Promise<Content | undefined> {
  const text = await readFile(path, 'utf8').catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Content);
}
