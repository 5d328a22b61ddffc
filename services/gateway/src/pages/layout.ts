import { Html, html, NOTHING } from '@fiado/chassis/html';
import type { Lender } from './lender';
import { PAGE_STYLE } from './page-style';

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

/** In one piece, because the Content-Security-Policy contains the hash of its bytes. */
const STYLE = new Html(`<style>${PAGE_STYLE}</style>`);

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
