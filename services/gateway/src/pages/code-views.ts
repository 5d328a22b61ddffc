import { html, Html, NOTHING } from '@fiado/chassis/html';
import type { LinkCode } from '@fiado/contracts/links';
import { noticeOf, problem, type Notice, type Page } from './layout';

export const SENT_AGAIN: Notice = {
  status: 200,
  text: 'Listo, te enviamos otro SMS.',
  problem: false,
};
export const NOT_SIX_DIGITS = problem(422, 'Escribe los seis números de la clave.');
export const WRONG_CODE = problem(
  422,
  'Esa clave no es la correcta. Revisa el último SMS que recibiste y escríbela otra vez.',
);
export const TOO_LATE = problem(
  422,
  'Pasó el tiempo para aceptar. Tu pedido todavía no está confirmado.',
);
export const MAY_NOT_BUY = problem(
  422,
  'Por ahora no puedes comprar a crédito, así que tu pedido no se confirmó. Si tienes un pago con atraso, ' +
    'págalo primero; si no, pregunta a quien te da el crédito.',
);
export const PHONE_HELD = problem(
  422,
  'El celular de tu tienda cambió hace poco, así que tu pedido no se confirmó. Vuelve a intentarlo ' +
    'mañana o pregunta a quien te da el crédito.',
);
export const TOO_MANY_CODES = problem(
  429,
  'Se escribieron demasiadas claves equivocadas. Pide otro enlace a tu proveedor.',
);
export const TOO_MANY_SENDS = problem(
  429,
  'Ya te enviamos la clave demasiadas veces. Usa la del último SMS o pide otro enlace a tu proveedor.',
);
const NO_MORE_SENDS = problem(
  429,
  'Ya te enviamos la clave demasiadas veces. Pide otro enlace a tu proveedor.',
);
/** The budget of the phone or of its supplier is used up: not by this link. */
const NO_SENDS_NOW = problem(
  429,
  'Ahora no podemos enviarte la clave. Vuelve a abrir este enlace más tarde.',
);

/** Texts about the purpose of the code. */
export interface CodeWords {
  title: string;
  /** Why a code is needed, before it is sent. */
  need: string;
  button: string;
  /** Which step of how many it is. */
  progress?: Html;
}

/** The state of the code, the last digits of the phone, and the path that forms are sent to. */
export interface Waiting extends LinkCode {
  words: CodeWords;
  path: string;
  notice?: Notice | undefined;
}

/** The page waits for a code. It shows only the last digits of the phone. */
export function waitingPage(waiting: Waiting): Page {
  const { words, code, notice } = waiting;
  if (notice === TOO_MANY_CODES) return lockedPage(words, notice);
  if (notice === TOO_MANY_SENDS && code !== 'valid') {
    return lockedPage(words, code === 'unsent' ? NO_SENDS_NOW : NO_MORE_SENDS);
  }
  if (code === 'unsent') return unsentPage(waiting);
  return code === 'valid' ? codePage(waiting) : deadCodePage(waiting);
}

/** Nothing on the page would help now. */
function lockedPage({ title }: CodeWords, notice: Notice): Page {
  return { status: notice.status, title, content: noticeOf(notice) };
}

function unsentPage({ words, path, phoneMasked, notice }: Waiting): Page {
  return {
    status: notice?.status ?? 200,
    ...headOf(words),
    content: html`${noticeOf(notice)}
      <p>
        ${words.need} necesitas una clave de seis números. Te la enviamos por SMS al celular que
        termina en <strong>${phoneMasked.slice(-4)}</strong>.
      </p>
      <form method="post" action="${path}/enviar">
        <button type="submit">Enviar clave</button>
      </form>`,
  };
}

function codePage({ words, path, phoneMasked, checksLeft, notice }: Waiting): Page {
  return {
    status: notice?.status ?? 200,
    ...headOf(words),
    content: html`${noticeOf(notice)}${notice === WRONG_CODE ? triesLeft(checksLeft) : NOTHING}
      <p>
        Enviamos un SMS con una clave de seis números al celular que termina en
        <strong>${phoneMasked.slice(-4)}</strong>. Dura 10 minutos.
      </p>
      ${codeForm(path, words.button)} ${notice === TOO_MANY_SENDS ? NOTHING : resendForm(path)}`,
  };
}

function headOf({ title, progress = NOTHING }: CodeWords): Pick<Page, 'title' | 'progress'> {
  return { title, progress };
}

function triesLeft(checks: number | undefined): Html {
  if (checks === undefined) return NOTHING;
  const tries =
    checks === 1 ? 'Te queda <strong>1 intento' : `Te quedan <strong>${checks} intentos`;
  return html`<p>${new Html(`${tries}</strong>.`)}</p>`;
}

function resendForm(path: string): Html {
  return html`<form method="post" action="${path}/reenviar" class="resend">
    <p class="quiet">¿No te llegó?</p>
    <button type="submit" class="second">Enviar otra vez</button>
  </form>`;
}

/** A code that is expired or has no checks left: only another one helps, whatever was typed. */
function deadCodePage({ words, path, phoneMasked, code, notice }: Waiting): Page {
  const why =
    code === 'expired'
      ? 'Tu clave ya caducó: cada una dura 10 minutos.'
      : 'Esa clave ya no sirve: se escribió mal varias veces.';
  const status = notice?.status ?? 200;
  const isAboutCode = notice === undefined || notice === WRONG_CODE || notice === NOT_SIX_DIGITS;
  return {
    status,
    ...headOf(words),
    content: html`${noticeOf(isAboutCode ? problem(status, why) : notice)}
      <p>
        ${isAboutCode ? '' : why} Pide una clave nueva. Te llega por SMS al celular que termina en
        <strong>${phoneMasked.slice(-4)}</strong>.
      </p>
      <form method="post" action="${path}/reenviar">
        <button type="submit">Enviar clave nueva</button>
      </form>`,
  };
}

/** @param path that the form is sent to */
export function codeForm(path: string, button: string): Html {
  return html`<form method="post" action="${path}">
    <label for="code">Clave de seis números</label>
    <input
      id="code"
      name="code"
      class="code"
      type="text"
      inputmode="numeric"
      autocomplete="one-time-code"
      pattern="\\s*(?:[0-9]\\s*){6}"
      maxlength="13"
      required
      title="Seis números"
    />
    <button type="submit">${button}</button>
  </form>`;
}
