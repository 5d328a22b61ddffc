import sharp from 'sharp';
import type { Api } from './api';
import { createStoreWithKycLink, type Store, type Wholesaler } from './story';

const INFORMATION = {
  cornerStoreAddress: 'Av. Juárez 12, Centro, Puebla',
  cornerStoreType: 'MISCELÁNEA',
  businessLifetime: 'MORE_THAN_FIVE_YEARS',
  ownershipStatus: 'DUEÑO',
  localeOwner: 'PROPIO',
};

/**
 * The pages of an identity check that take a picture, and what the picture of a test shows. One is
 * blurred: its edges are spread over so many pixels.
 */
const PICTURES = [
  ['frente', 'IDENTIFICACIÓN', 'Frente', '#2f5d50'],
  ['reverso', 'IDENTIFICACIÓN', 'Reverso', '#3d4f73'],
  ['cara', 'ROSTRO', 'Lucía Ortega', '#7a4b2a'],
  ['tienda', 'ENTRADA', 'Abarrotes', '#5b3a6e', 12],
] as const;

/** A corner store that waits for validation, with all its documents. */
export async function createWaitingStore(
  system: Api,
  wholesaler: Wholesaler,
  cornerStoreName: string,
  owner: { externalId?: string } = {},
): Promise<Store> {
  const { store, link } = await createStoreWithKycLink(system, wholesaler, owner);
  const post = async (path: string, body: RequestInit['body'] = null): Promise<string> =>
    (await fetch(`${link}/${path}`, { method: 'POST', body })).text();
  const consent = await (await fetch(link)).text();
  const [, version = ''] = /name="version" value="([^"]+)"/.exec(consent) ?? [];
  await post('aviso', new URLSearchParams({ version }));
  for (const picture of PICTURES) {
    const form = new FormData();
    const bytes = new Uint8Array(await drawPicture(picture));
    form.append('photo', new Blob([bytes], { type: 'image/jpeg' }), 'foto.jpg');
    await post(picture[0], form);
  }
  await post('datos', new URLSearchParams({ ...INFORMATION, cornerStoreName }));
  expect(await post('terminar')).toContain('Estamos revisando tus datos');
  return store;
}

/** Stores that a queue gets at a time. */
const AT_ONCE = 10;

/** Corner stores that wait for validation, newest first, without documents. */
export async function createQueue(system: Api, { key }: Wholesaler, count: number): Promise<void> {
  for (let left = count; left > 0; left -= AT_ONCE) {
    const body = { status: 'in-manual-validation' };
    const answers = await Promise.all(
      Array.from({ length: Math.min(left, AT_ONCE) }, () =>
        system.call(key, 'POST', '/sandbox/customers', { body }),
      ),
    );
    for (const { status } of answers) expect(status).toBe(201);
  }
}

function drawPicture(picture: (typeof PICTURES)[number]): Promise<Buffer> {
  const [, title, subtitle, colour, blur] = picture;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="760">
    <rect width="1200" height="760" fill="${colour}"/>
    <rect x="60" y="60" width="320" height="400" rx="24" fill="#ffffff" opacity="0.35"/>
    <circle cx="220" cy="210" r="80" fill="#ffffff" opacity="0.6"/>
    <rect x="110" y="320" width="220" height="140" rx="70" fill="#ffffff" opacity="0.6"/>
    <g fill="#ffffff" font-family="sans-serif">
      <text x="440" y="160" font-size="72" font-weight="700">${title}</text>
      <text x="440" y="260" font-size="64">${subtitle}</text>
      <text x="440" y="620" font-size="40">Muestra sin datos reales</text>
    </g>
  </svg>`;
  const drawn = sharp(Buffer.from(svg));
  return (blur === undefined ? drawn : drawn.blur(blur)).jpeg().toBuffer();
}
