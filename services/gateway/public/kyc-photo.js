'use strict';

// Shrinks a picture on the phone before its form is sent, which saves data and time. The form works
// without this script, and after any failure in it the picture is sent as it is.

/** Longest side in pixels: the text of an identity card can be read. */
const MAX_SIDE = 1600;
const JPEG_QUALITY = 0.85;

const form = document.querySelector('form[enctype]');
const input = form.querySelector('input[type=file]');
const button = form.querySelector('button');
const sending = document.getElementById('sending');

form.addEventListener('submit', (event) => {
  event.preventDefault();
  void send();
});

// A page that the browser kept comes back as it was left.
addEventListener('pageshow', () => {
  button.disabled = false;
  sending.hidden = true;
  sending.replaceChildren();
});

async function send() {
  button.disabled = true;
  sending.hidden = false;
  sending.append('Preparando tu foto…');
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
  const picture = await createImageBitmap(file);
  const scale = Math.min(1, MAX_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const blob = await new Promise((done) => canvas.toBlob(done, 'image/jpeg', JPEG_QUALITY));
  if (blob === null) throw new Error('The picture cannot be written as a JPEG');
  return new File([blob], 'foto.jpg', { type: 'image/jpeg' });
}
