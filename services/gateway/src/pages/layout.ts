import { html, Html, NOTHING } from '@fiado/chassis/html';
import { paymentPlacesOf, type PaymentPlace } from '@fiado/contracts/payment-places';
import { printPhone } from '@fiado/contracts/phone';
import type { GatewayConfig } from '../config';

/** A page as it is to be answered. */
export interface Page {
  status: number;
  title: string;
  content: Html;
  /** Above the title: which step of how many it is. */
  progress?: Html;
  /** Path of a script for comfort; the page works without it. */
  script?: string;
  /** Spanish, for the owner of a corner store, unless it is for a developer. */
  language?: 'es-MX' | 'en';
}

/** A line above the content of a page: what was done, or what went wrong and what to do next. */
export interface Notice {
  status: number;
  text: string;
  problem: boolean;
}

export function problem(status: number, text: string): Notice {
  return { status, text, problem: true };
}

export function noticeOf(notice: Notice | undefined): Html {
  if (notice === undefined) return NOTHING;
  return html`<p
    class="notice${notice.problem ? ' problem' : ''}"
    role="${notice.problem ? 'alert' : 'status'}"
  >
    ${notice.text}
  </p>`;
}

/** Who gives the credit, and where to ask. */
export interface Lender {
  name: string;
  /** As a phone dials it. */
  phone: string;
  /** As people write it. */
  printedPhone: string;
  privacyUrl: string;
  /** Of the notice at that URL. */
  privacyVersion: string;
  /** Where stores pay; none when the lender named none. */
  places: PaymentPlace[];
}

export function lenderOf(config: GatewayConfig): Lender {
  return {
    name: config.LENDER_NAME,
    phone: config.SUPPORT_PHONE.replaceAll(' ', ''),
    printedPhone: printPhone(config.SUPPORT_PHONE, config.PHONE_REGION),
    privacyUrl: config.PRIVACY_URL,
    privacyVersion: config.PRIVACY_VERSION,
    places: paymentPlacesOf(config.PAYMENT_PLACES ?? '') ?? [],
  };
}

/** The whole document of a page. */
export function renderPage(
  { title, content, progress = NOTHING, script, language = 'es-MX' }: Page,
  lender: Lender,
): string {
  return html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title} · Fiado</title>
        ${STYLE} ${script === undefined ? NOTHING : html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <main>
          <p class="brand">Fiado</p>
          <div class="card">
            ${progress}
            <h1>${title}</h1>
            ${content}
          </div>
        </main>
        <footer lang="es-MX">
          <p>
            Crédito de ${lender.name}. ¿Dudas? Llama al
            <a href="tel:${lender.phone}">${lender.printedPhone}</a>.
          </p>
          <p><a href="${lender.privacyUrl}">Aviso de privacidad</a></p>
        </footer>
      </body>
    </html> `.text;
}

/**
 * The only style sheet, inlined in each page, so that a phone on a slow line loads one resource.
 */
export const PAGE_STYLE = `
:root { color-scheme: light; --ink: #1d2433; --quiet: #5b6577; --brand: #0b6b4f; --line: #d8dee8; }
* { box-sizing: border-box; }
body { margin: 0; background: #f3f5f8; color: var(--ink);
  font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  overflow-wrap: break-word; }
main { max-width: 27rem; margin: 0 auto; padding: 1.25rem 1rem 2rem; }
.brand { margin: 0 0 1rem; color: var(--brand); font-size: 1.25rem; font-weight: 700; }
.card { padding: 1.5rem 1.25rem; border-radius: 0.875rem; background: #fff;
  box-shadow: 0 1px 3px rgb(29 36 51 / 12%); }
h1 { margin: 0 0 0.75rem; font-size: 1.5rem; line-height: 1.25; }
p { margin: 0 0 1rem; }
.card > :last-child { margin-bottom: 0; }
label { display: block; margin-bottom: 0.375rem; font-weight: 600; }
input, select { width: 100%; margin-bottom: 1rem; padding: 0.625rem 0.5rem; border: 2px solid #767f91;
  border-radius: 0.625rem; background: #fff; color: inherit; font: inherit; }
.code { font-size: 1.75rem; font-variant-numeric: tabular-nums; letter-spacing: 0.3em;
  text-align: center; }
button { display: block; width: 100%; padding: 0.875rem 1rem; border: 2px solid var(--brand);
  border-radius: 0.625rem; background: var(--brand); color: #fff; font: inherit; font-weight: 600;
  cursor: pointer; }
button.second { background: #fff; color: var(--brand); }
a:focus-visible, input:focus-visible, select:focus-visible, button:focus-visible { outline: 3px solid #f0b429; outline-offset: 2px; }
.notice { padding: 0.75rem 0.875rem; border-left: 4px solid var(--brand); border-radius: 0.375rem;
  background: #e7f4ef; }
[aria-invalid] { border-color: #b42318; }
.wrong { margin: -0.625rem 0 1rem; color: #b42318; font-size: 0.9375rem; font-weight: 600; }
.problem { border-color: #b42318; background: #fdeceb; }
.resend { margin-top: 1.25rem; padding-top: 1.25rem; border-top: 1px solid var(--line); }
form + .quiet { margin-top: 0.75rem; }
.resend p { margin-bottom: 0.625rem; }
.sending { margin-top: 1rem; }
progress { display: block; width: 100%; margin-top: 0.5rem; accent-color: var(--brand); }
button:disabled { opacity: 0.6; cursor: default; }
.step { margin-bottom: 0.5rem; color: var(--quiet); font-weight: 600; }
.quiet { color: var(--quiet); font-size: 0.9375rem; }
dl { margin: 0 0 1rem; }
dt { color: var(--quiet); font-size: 0.9375rem; }
dd { margin: 0 0 0.75rem; font-size: 1.375rem; font-weight: 600; overflow-wrap: anywhere; }
h2 { margin: 1.5rem 0 0.5rem; font-size: 1.125rem; }
.main dd { font-size: 2rem; line-height: 1.2; }
.main .day { font-size: 1.25rem; }
.lines { border-top: 1px solid var(--line); }
.debt { margin-bottom: 1.5rem; }
.lines div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0;
  border-bottom: 1px solid var(--line); }
.lines dd { margin: 0; font-size: 1.0625rem; text-align: right; font-variant-numeric: tabular-nums;
  overflow-wrap: normal; }
.lines .name { overflow-wrap: anywhere; }
.lines .total dt, .lines .total dd { color: var(--ink); font-size: 1.25rem; font-weight: 700; }
.reference { padding: 0.75rem; border-radius: 0.625rem; background: #e5f3ed; text-align: center; }
.reference dd { margin: 0; font-variant-numeric: tabular-nums; }
.qr { display: block; width: 11rem; max-width: 100%; margin: 0 auto 1rem; }
footer { max-width: 27rem; margin: 0 auto; padding: 0 1.25rem 2rem; color: var(--quiet);
  font-size: 0.9375rem; }
footer p { margin-bottom: 0.25rem; }
a { color: var(--brand); display: inline-block; min-height: 1.5rem; }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
li { margin-bottom: 0.5rem; }
`;

/** In one piece, because the Content-Security-Policy contains the hash of its bytes. */
const STYLE = new Html(`<style>${PAGE_STYLE}</style>`);
