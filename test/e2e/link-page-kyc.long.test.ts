import sharp from 'sharp';
import { createStoreWithKycLink, createWholesaler, phonePicture } from './support/story';
import { tourScriptedPages } from './support/browser';
import { sharedSystem } from './support/shared-system';

const system = sharedSystem();

tourScriptedPages('an owner sends the whole onboarding behind a link', async (page) => {
  const choose = async (label: string, buffer: Buffer, name = 'foto.jpg'): Promise<void> => {
    const file = { name, mimeType: 'image/jpeg', buffer };
    await page.page.getByLabel(label).setInputFiles(file);
    await page.press('Enviar foto');
  };

  const picture = await phonePicture();
  const wholesaler = await createWholesaler(system);
  const { store, link } = await createStoreWithKycLink(system, wholesaler);

  await page.goto(link);
  expect(await page.text()).toContain('Paso 1 de 6');
  await page.look('kyc-1-consent');
  await page.press('Acepto el aviso de privacidad');
  expect(await page.text()).toContain('Paso 2 de 6');
  await page.look('kyc-2-front');

  await choose('Foto del frente', Buffer.from('GIF89a'));
  await page.page.getByText('no es una foto JPG o PNG').waitFor();
  await page.look('kyc-3-not-a-photo');
  await choose('Foto del frente', picture);
  await page.page.getByText('Paso 3 de 6').waitFor();
  expect(await page.text()).toContain('Listo, lo guardamos.');
  await page.look('kyc-4-back');
  await choose('Foto del reverso', await sharp(picture).blur(20).toBuffer());
  await page.page.getByText('Paso 4 de 6').waitFor();
  expect(await page.text()).toContain('se ve borrosa');
  await page.look('kyc-4b-blurred');
  // The owner comes back later.
  await page.goto(link);
  await choose('Foto de tu cara', picture);
  await page.page.getByText('Paso 5 de 6').waitFor();
  await page.look('kyc-6-store');
  await choose('Foto de la entrada', picture);
  await page.page.getByText('Paso 6 de 6').waitFor();
  await page.look('kyc-7-data');

  await page.type('Nombre de tu tienda', 'Abarrotes "Rosita"');
  await page.type('Dirección', ' ');
  await page.page.getByLabel('Giro').selectOption('Abarrotes');
  await page.page.getByLabel('abierta').selectOption('Más de cinco años');
  await page.page.getByLabel('es tuya').selectOption('Es mía');
  await page.page.getByLabel('El local es').selectOption('Propio');
  await page.press('Guardar datos');
  expect(await page.text()).toContain('Revisa los datos marcados');
  await page.look('kyc-8-wrong-data');
  await page.type('Dirección', 'Av. Juárez 12, Puebla');
  await page.press('Guardar datos');
  expect(await page.text()).toContain('Último paso');
  await page.look('kyc-9-review');
  await page.press('Terminar');
  expect(await page.text()).toContain('Estamos revisando tus datos');
  await page.look('kyc-10-in-review');

  const approve = `/admin/corner-stores/${store.cornerStoreId}/approve`;
  await system.call(system.opsKey, 'POST', approve);
  await page.goto(link);
  expect(await page.text()).toContain('Tu crédito está aprobado');
  await page.look('kyc-11-approved');
  await page.goto(`${link}x`);
  await page.look('kyc-12-unknown');
  // Pictures of 2,400 pixels were shrunk where scripts run, and only there.
  const documents = `/admin/corner-stores/${store.cornerStoreId}/documents`;
  const { body } = await system.call(system.opsKey, 'GET', documents);
  const widths = body.documents.map(({ width }: { width: number }) => width);
  const width = page.scripts ? 1600 : 2400;
  expect(widths).toEqual(Array.from({ length: 4 }, () => width));
  expect(page.complaints()).toEqual([
    expect.stringContaining('status of 400'),
    expect.stringContaining('status of 422'),
    expect.stringContaining('status of 404'),
  ]);
});
