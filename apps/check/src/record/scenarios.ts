import type { Scenario } from '../scenario';
import type { Notice } from './record-notices';

/** Rules for the notices that a provider's own system sends. */
export const RECORD_SCENARIOS: Array<Scenario<Notice[]>> = [
  {
    id: 'D15',
    title: { en: 'A 503 is repeated', es: 'Un 503 se repite' },
    rule: {
      en: 'After a 503 the same notice is sent again, until it is accepted.',
      es: 'Después de un 503 se repite el mismo aviso, hasta que se acepta.',
    },
    skip: (notices) => (notices.some(({ isOutage }) => isOutage) ? undefined : 'no notice came'),
    run: async (notices, record) => {
      for (const { claveDePago } of notices.filter(({ isOutage }) => isOutage)) {
        const last = notices.findLast((notice) => notice.claveDePago === claveDePago);
        record(`last answer to ${claveDePago}`, 200, last?.status ?? 0);
      }
    },
  },
  {
    id: 'D20',
    title: { en: 'One body for each claveDePago', es: 'Un cuerpo por cada claveDePago' },
    rule: {
      en: 'A notice is repeated with the same bytes.',
      es: 'Un aviso se repite con los mismos bytes.',
    },
    run: async (notices, record) => {
      record('a notice came', 'true', String(notices.length > 0));
      for (const claveDePago of new Set(notices.map((notice) => notice.claveDePago))) {
        const same = notices.filter((notice) => notice.claveDePago === claveDePago);
        record(`bodies of ${claveDePago}`, 1, new Set(same.map(({ body }) => body)).size);
      }
    },
  },
  {
    id: 'D21',
    title: { en: 'Valid notices with the right key', es: 'Avisos válidos con la llave correcta' },
    rule: {
      en: 'No notice is refused for its fields, its key or its name.',
      es: 'Ningún aviso se rechaza por sus campos, su llave o su nombre.',
    },
    run: async (notices, record) => {
      record('a notice came', 'true', String(notices.length > 0));
      const refused = notices.filter(({ status }) => [400, 401, 403, 415].includes(status));
      record('refusals', '', refused.map((one) => `${one.status} ${one.claveDePago}`).join(', '));
    },
  },
];
