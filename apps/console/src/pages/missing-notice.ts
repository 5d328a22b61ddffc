import { html, NOTHING, type Html } from '@fiado/chassis/html';
import type { Say } from '../words';

/** Says which services did not answer, so that nobody takes their silence for nothing. */
export function missingNotice(missing: string[], say: Say): Html {
  if (missing.length === 0) return NOTHING;
  const names = missing.map((name) => serviceName(name, say)).join(', ');
  return html`<p class="problem" role="status">
    ${say(`Falta lo de: ${names}. No respondieron; intenta en un momento.`, `Without: ${names}. They did not answer; try again in a moment.`)}
  </p>`;
}

/** A service as a person knows it. */
export function serviceName(service: string, say: Say): string {
  const names: Record<string, string> = {
    accounts: say('cuentas', 'accounts'),
    transactions: say('pedidos', 'orders'),
    payments: say('pagos', 'payments'),
    notifier: say('mensajes', 'messages'),
  };
  return names[service] ?? service;
}
