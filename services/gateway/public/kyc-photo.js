'use strict';

// Shows a picture before it is sent, says when it looks small or blurred, and shrinks it, which saves
// data and time. The form works without this script, and after any failure in it the picture is sent
// as it is.

/** Longest side in pixels: the text of an identity card can be read. */
const MAX_SIDE = 1600;
const JPEG_QUALITY = 0.85;
/** As the API recommends. */
const MIN_WIDTH = 750;
/** Width at which sharpness is measured, in pixels. */
const SAMPLE_WIDTH = 400;
/** Mean square of the differences between neighbours that a picture with legible letters exceeds. */
const MIN_SHARPNESS = 12;

const form = document.querySelector('form[enctype]');
const input = form.querySelector('input[type=file]');
const button = form.querySelector('button');
const again = document.getElementById('again');
const preview = document.getElementById('preview');
const picture = preview.querySelector('img');
const warning = document.getElementById('warning');
const sending = document.getElementById('sending');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

input.addEventListener('change', () => void show(input.files[0]));
again.addEventListener('click', () => input.click());

async function show(file) {
  URL.revokeObjectURL(picture.src);
  preview.hidden = true;
  again.hidden = true;
  warning.hidden = true;
  if (file === undefined) return;
  try {
    const bitmap = await createImageBitmap(file);
    picture.src = URL.createObjectURL(file);
    preview.hidden = false;
    again.hidden = false;
    const text = warningOf(bitmap);
    warning.hidden = text === '';
    warning.textContent = text;
  } catch {
    // No picture: the server says so.
  }
}

function warningOf(bitmap) {
  if (bitmap.width < MIN_WIDTH) return 'La foto se ve chica. Acércate y toma otra.';
  return sharpnessOf(bitmap) < MIN_SHARPNESS
    ? 'La foto parece borrosa. Toma otra con más luz y sin mover el celular.'
    : '';
}

/** Mean square of the differences between neighbouring grey pixels. */
function sharpnessOf(bitmap) {
  const canvas = document.createElement('canvas');
  canvas.width = SAMPLE_WIDTH;
  canvas.height = Math.round((bitmap.height * SAMPLE_WIDTH) / bitmap.width);
  const context = canvas.getContext('2d');
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  const greyAt = (pixel) => (data[pixel * 4] + data[pixel * 4 + 1] + data[pixel * 4 + 2]) / 3;
  let sum = 0;
  const pixels = data.length / 4;
  for (let pixel = 1; pixel < pixels; pixel += 1) {
    sum += (greyAt(pixel) - greyAt(pixel - 1)) ** 2;
  }
  return sum / pixels;
}

// A page that the browser kept comes back as it was left.
addEventListener('pageshow', () => {
  button.disabled = false;
  again.disabled = false;
  sending.hidden = true;
  sending.replaceChildren();
});

async function send() {
  if (!navigator.onLine) {
    sending.hidden = false;
    sending.textContent = 'No hay internet. Tu foto sigue aquí: envíala cuando regrese.';
    return;
  }
  button.disabled = true;
  again.disabled = true;
  sending.hidden = false;
  sending.textContent = 'Preparando tu foto…';
  try {
    const transfer = new DataTransfer();
    transfer.items.add(await shrink(input.files[0]));
    input.files = transfer.files;
  } catch {
    // The picture stays as it is.
  }
  const bar = document.createElement('progress');
  bar.setAttribute('aria-label', 'Enviando');
  sending.replaceChildren('Enviando tu foto…', bar);
  form.submit();
}

async function shrink(file) {
  const bitmap = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(bitmap.width, bitmap.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(bitmap.width * scale);
  canvas.height = Math.round(bitmap.height * scale);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
  if (blob === null) throw new Error('The picture cannot be written as a JPEG');
  return new File([blob], 'foto.jpg', { type: 'image/jpeg' });
}
