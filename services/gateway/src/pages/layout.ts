import { html, Html, NOTHING } from '@fiado/chassis/html';
import { paymentPlaces } from '@fiado/chassis/setting-rules';
import type { PaymentPlace } from '@fiado/contracts/payment-places';
import { printPhone } from '@fiado/contracts/numbering-plan';
import type { GatewayConfig } from '../config';

/** A page to be answered. */
export interface Page {
  status: number;
  title: string;
  /** The heading where it is not the title: what no history of a browser should keep. */
  heading?: string;
  /** Content of the first card, under the heading. */
  content: Html;
  /** Further cards. */
  cards?: Html[];
  /** Beside the name, at the top: which step of how many it is. */
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
  /** A link to the next step, if that is another page. */
  link?: { path: string; text: string };
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
    ${
      notice.link === undefined
        ? NOTHING
        : html`<a href="${notice.link.path}">${notice.link.text}</a>`
    }
  </p>`;
}

/** The lender, and where to reach it. */
export interface Lender {
  name: string;
  /** As a phone dials it. */
  phone: string;
  /** As people write it. */
  printedPhone: string;
  privacyUrl: string;
  /** Version of the notice at that URL. */
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
    places: paymentPlaces(config),
  };
}

/** The whole document of a page. */
export function renderPage(
  { title, heading = title, content, cards = [], progress = NOTHING, script, language }: Page,
  lender: Lender,
): string {
  const page = html`<!doctype html>
    <html lang="${language ?? 'es-MX'}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <meta name="format-detection" content="telephone=no" />
        <title>${title} · Fiado</title>
        ${STYLE} ${script === undefined ? NOTHING : html`<script src="${script}" defer></script>`}
      </head>
      <body>
        <header>
          <p class="brand">Fiado</p>
          ${progress}
        </header>
        <main>
          <section class="card">
            <h1>${heading}</h1>
            ${content}
          </section>
          ${cards.map((card) => html`<section class="card">${card}</section>`)}
        </main>
        <footer lang="es-MX">
          <p>
            Crédito de ${lender.name}. ¿Dudas? Llama al
            <a href="tel:${lender.phone}">${lender.printedPhone}</a>.
          </p>
          <p><a href="${lender.privacyUrl}">Aviso de privacidad</a></p>
        </footer>
      </body>
    </html> `;
  return page.text.replaceAll(/\n\s+/g, '\n');
}

/**
 * The only style sheet, inlined in each page, so that a phone on a slow line loads one resource. Dark
 * where the phone is, and black on white on paper.
 */
export const PAGE_STYLE = `
:root { color-scheme: light dark; --page: #f6f7f9; --surface: #fff; --line: #dde2ea; --edge: #7a8496;
  --ink: #18202f; --quiet: #556072; --brand: #0b6b4f; --hover: #08533d; --on-brand: #fff;
  --soft: #e5f3ed; --focus: #1f5fd6; --good: #0a5c41; --good-ground: #e0f3ea;
  --bad: #a3231a; --bad-ground: #fde8e6; --sunken: #eef1f5; }
@media (prefers-color-scheme: dark) { :root { --page: #0f1319; --surface: #171c25; --line: #2c3543;
  --edge: #76829a; --ink: #e7ebf2; --quiet: #a5afbf; --brand: #5fd0a8; --hover: #84dfc0;
  --on-brand: #06251a; --soft: #13312a; --focus: #8ab4ff; --good: #7fdcb8; --good-ground: #143227;
  --bad: #ffa79e; --bad-ground: #411c1a; --sunken: #1f2632; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); overflow-wrap: break-word;
  font: 1.0625rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif;
  font-variant-numeric: tabular-nums; }
header, main, footer { max-width: 27rem; margin: 0 auto; padding: 0 0.75rem; }
header { display: flex; justify-content: space-between; align-items: baseline; gap: 1rem;
  padding: 0.75rem 1rem; }
header p { margin: 0; }
.brand { color: var(--brand); font-size: 1.25rem; font-weight: 700; }
.card { margin-bottom: 0.75rem; padding: 1rem; border: 1px solid var(--line);
  border-radius: 0.875rem; background: var(--surface); }
h1 { margin: 0 0 0.5rem; font-size: 1.375rem; line-height: 1.25; }
h2 { margin: 0 0 0.5rem; font-size: 1.125rem; }
p { margin: 0 0 1rem; }
.card > :last-child { margin-bottom: 0; }
label { display: block; margin-bottom: 0.375rem; font-weight: 600; }
input, select { width: 100%; min-height: 3.25rem; margin-bottom: 1rem; padding: 0.625rem;
  border: 1px solid var(--edge); border-radius: 0.5rem; background: var(--surface);
  color: inherit; font: inherit; }
.code { font-size: 1.75rem; letter-spacing: 0.3em; text-align: center; }
button { display: block; width: 100%; min-height: 3.25rem; padding: 0.5rem 1rem;
  border: 1px solid var(--brand); border-radius: 0.75rem; background: var(--brand);
  color: var(--on-brand); font: inherit; font-weight: 600; cursor: pointer; }
button:hover { border-color: var(--hover); background: var(--hover); }
button.second { background: var(--surface); color: var(--brand); }
button:disabled { opacity: 0.6; cursor: default; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.notice { padding: 0.75rem; border-radius: 0.5rem; background: var(--good-ground);
  color: var(--good); font-weight: 600; }
.problem { background: var(--bad-ground); color: var(--bad); }
[aria-invalid] { border-color: var(--bad); }
.wrong { margin: -0.625rem 0 1rem; color: var(--bad); font-size: 0.9375rem; font-weight: 600; }
.resend { margin-top: 1rem; padding-top: 1rem; border-top: 1px solid var(--line); }
form + .quiet, .sending { margin-top: 0.75rem; }
.resend p { margin-bottom: 0.625rem; }
progress { display: block; width: 100%; margin-top: 0.5rem; accent-color: var(--brand); }
.step, .quiet, dt { color: var(--quiet); font-size: 0.9375rem; }
.amount { margin-bottom: 0.25rem; font-size: 2.25rem; font-weight: 700; line-height: 1.2;
  overflow-wrap: anywhere; }
.amount.long { font-size: 1.625rem; }
dl { margin: 0 0 1rem; }
dd { margin: 0; font-weight: 600; }
.lines div { display: flex; justify-content: space-between; gap: 1rem; padding: 0.5rem 0;
  border-top: 1px solid var(--line); }
.lines dt { overflow-wrap: anywhere; }
.lines dd { text-align: right; overflow-wrap: normal; }
.lines .total dt, .lines .total dd { color: var(--ink); font-size: 1.125rem; font-weight: 700; }
.debts { margin: 0 0 0.5rem; padding: 0; list-style: none; }
.debts li { display: grid; grid-template-columns: 1fr auto; gap: 0 1rem; margin: 0;
  padding: 0.75rem 0; border-top: 1px solid var(--line); }
.debts strong::first-letter { text-transform: uppercase; }
.debts .sum { font-weight: 700; text-align: right; }
.debts .quiet { grid-column: 1 / 3; }
.badge { padding: 0 0.5rem; white-space: nowrap; border-radius: 1rem; background: var(--good-ground);
  color: var(--good); font-size: 0.8125rem; font-weight: 700; }
.badge.late { background: var(--bad-ground); color: var(--bad); }
.reference { padding: 0.75rem; border-radius: 0.5rem; background: var(--soft); text-align: center; }
.reference dd { font-size: 1.375rem; overflow-wrap: anywhere; }
.steps { margin: 0 0 1rem; padding: 0; list-style: none; counter-reset: step; }
.steps > li { position: relative; min-height: 1.75rem; margin-bottom: 0.75rem;
  padding-left: 2.25rem; counter-increment: step; }
.steps > li::before { position: absolute; left: 0; width: 1.625rem; border-radius: 1rem;
  background: var(--sunken); font-weight: 700; text-align: center; content: counter(step); }
.qr { display: block; width: 8.5rem; margin: 0 auto 1rem; background: #fff; }
button + button { margin-top: 0.625rem; }
.preview { display: block; max-width: 100%; max-height: 20rem; margin: 0 auto 1rem;
  border-radius: 0.5rem; }
.qr + .quiet { text-align: center; }
summary { padding: 0.25rem 0; color: var(--brand); font-size: 1.125rem; font-weight: 700;
  cursor: pointer; }
details[open] summary { margin-bottom: 0.5rem; }
footer { padding: 1rem 1rem 2rem; color: var(--quiet); font-size: 0.9375rem; }
footer p { margin-bottom: 0.25rem; }
a { display: inline-block; min-height: 1.5rem; color: var(--brand); }
ul { margin: 0 0 1rem; padding-left: 1.25rem; }
li { margin-bottom: 0.5rem; }
[hidden] { display: none; }
@media print { body { background: #fff; color: #000; } button { display: none; } }
`.replaceAll(/\n\s*/g, '\n');

/** In one piece, because the Content-Security-Policy contains the hash of its bytes. */
const STYLE = new Html(`<style>${PAGE_STYLE}</style>`);
