import { html, type Html } from '@fiado/chassis/html';
import type { OpsScope } from '@fiado/contracts/scopes';
import type { Visit } from '../http/visit';
import { mayDo } from '../viewer';
import { timeOf } from './formats';
import type { Page } from './page';
import { missingNotice } from './missing-notice';
import { todayPart, type Overview } from './today';

interface Card {
  /** Null while the service that knows it does not answer. */
  number: number | null;
  label: string;
  link: string;
  /** Who may open the link. */
  role?: OpsScope;
}

/** What waits for somebody, each with a link to where it is done, and the figures of today. */
export async function showHome(visit: Visit): Promise<Page> {
  const { viewer, say } = visit;
  const overview = await viewer.ops.overview.get();
  return {
    title: say('Pendientes', 'What waits'),
    content: html`${missingNotice(overview.unavailable, say)}
      <ul class="cards">
        ${cardsOf(visit, overview).map((one) => card(visit, one))}
      </ul>
      ${todayPart(visit, overview)}
      <p class="quiet">${say('Datos de', 'As of')} ${timeOf(overview.asOf)}</p>`,
  };
}

function cardsOf({ say }: Visit, { waiting }: Overview): Card[] {
  return [
    {
      number: waiting.pendingChanges,
      label: say('cambios por aprobar', 'changes to approve'),
      link: '/aprobaciones',
      role: 'operator',
    },
    {
      number: waiting.storesInValidation,
      label: say('tiendas por validar', 'stores to validate'),
      link: '/validacion',
      role: 'operator',
    },
    {
      number: waiting.phonesHeld,
      label: say('teléfonos por confirmar', 'phones to confirm'),
      link: '/tiendas?telefono=retenido',
    },
    {
      number: waiting.unmatchedDeposits,
      label: say('depósitos sin asignar', 'unmatched deposits'),
      link: '/depositos',
    },
    {
      number: waiting.deadJobs,
      label: say('trabajos fallidos', 'failed jobs'),
      link: '/trabajos',
    },
    {
      number: waiting.failingWebhooks,
      label: say('webhooks que fallan', 'failing webhooks'),
      link: '/webhooks',
    },
    {
      number: waiting.disabledEndpoints,
      label: say('direcciones desactivadas', 'disabled endpoints'),
      link: '/webhooks',
    },
  ];
}

function card({ viewer, say }: Visit, { number, label, link, role = 'viewer' }: Card): Html {
  const text = number === null ? say('sin respuesta', 'no answer') : String(number);
  return html`<li>
    <strong>${text}</strong>
    ${mayDo(viewer, role) ? html`<a href="${link}">${label}</a>` : html`${label}`}
  </li>`;
}
