import { demoFile, FIRST_PATH } from './seed-demo';

export interface Welcome {
  baseUrl: string;
  /** Undefined in production, or when the demo could not be made. */
  demoKey: string | undefined;
  /** Where the ops key is, never the key. */
  opsKeyPlace: string;
  dataDir: string;
}

/** What a person who just started Fiado wants to know. */
export function welcomeLines({ baseUrl, demoKey, opsKeyPlace, dataDir }: Welcome): string[] {
  const lines = [
    `Fiado is at  ${baseUrl}`,
    `docs         ${baseUrl}/docs`,
    `ops key      ${opsKeyPlace}`,
  ];
  if (demoKey === undefined) return ['', ...lines, ''];
  return [
    '',
    ...lines,
    `demo key     ${demoKey}  (all of the demo: ${demoFile(dataDir)})`,
    '',
    'Ask for a corner store:',
    `  curl ${baseUrl}${FIRST_PATH} -H 'Authorization: ${demoKey}'`,
    '',
  ];
}
