import * as fc from 'fast-check';
import {
  MESSAGE_TEMPLATES,
  WHATSAPP_TEMPLATES,
  MESSAGES,
  type MessageTemplate,
  type MessageValues,
} from '@fiado/contracts/message-catalogue';
import { MAX_AMOUNT_CENTS } from '@fiado/contracts/money';
import { renderForWhatsapp, renderText, toGsm7, type SmsLender } from './templates.rules';
import { anyCharacter } from '../../../../test/support/any-character';

/** GSM-7 characters that one SMS holds. */
const ONE_SMS = 160;

const code = fc.integer({ min: 0, max: 999_999 }).map((value) => String(value).padStart(6, '0'));
const amountCents = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });
const wholesaler = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: anyCharacter }),
  fc.stringMatching(/^[A-Za-z .-]{0,8}\d{0,12}[ .-]\d{0,6}[A-Za-z ]{0,8}$/),
);

/** Digits in a row, also over the separators with which people write codes. */
function digitGroups(text: string): string[] {
  return text.match(/\d(?:[ -]?\d)*/g) ?? [];
}

const LENDER: SmsLender = { name: 'Crédito del Barrio', phone: '55 1234 5678', places: ['OXXO'] };
const A_DEBT = {
  amountCents: 125_000,
  wholesaler: 'El Ñandú',
  dueOn: '2026-12-07',
  reference: '80861056275',
};

/** Every message with its longest values, and any code, amounts and names. */
const longest = fc.record({ code, amountCents, wholesaler, lender: wholesaler }).map((given) => {
  const lender = {
    name: given.lender,
    phone: '55 1234 5678',
    places: ['Farmacias del Ahorro'],
    accountPage: 'fiado.example/mi',
  };
  const valueOf = ([name, value]: [string, unknown]) => {
    if (name.endsWith('Cents')) return [name, given.amountCents];
    return [name, name === 'code' || name === 'wholesaler' ? given[name] : value];
  };
  return MESSAGE_TEMPLATES.map((template) => {
    const values = Object.entries(MESSAGES[template].longest).map(valueOf);
    const all = Object.fromEntries(values) as MessageValues[typeof template];
    return { template, text: renderText(template, all, lender) };
  });
});

describe('texts', () => {
  test.each<[MessageTemplate, MessageValues[MessageTemplate], string]>([
    [
      'verification-code',
      { code: '042137' },
      '042137 es tu clave para verificar tu cuenta con Crédito del Barrio. ' +
        'Dala solo al vendedor de tu proveedor. Dudas: 55 1234 5678',
    ],
    [
      'account-code',
      { code: '042137' },
      '042137 es tu clave para ver tu cuenta con Crédito del Barrio. No la des a nadie. ' +
        'Dudas: 55 1234 5678',
    ],
    [
      'order-code',
      { code: '042137', amountCents: 125_000, wholesaler: 'El Ñandú' },
      '042137 es tu clave para confirmar tu pedido de $1,250.00 con El Ñandu. ' +
        'Dala solo a su vendedor. Crédito del Barrio 55 1234 5678',
    ],
    [
      'delivery-word',
      { word: 'LimonTambor', wholesaler: '7 Hermanos', amountCents: 125_000 },
      'Tu palabra de entrega es LimonTambor. Dila solo al recibir tu pedido de $1,250.00 ' +
        'de 7 Hermanos. Crédito del Barrio 55 1234 5678',
    ],
    [
      'delivered',
      { ...A_DEBT, totalCents: 99_905 },
      'Pedido entregado. Debes $999.05 a El Ñandu. Paga en OXXO a mas tardar el 7 dic, ' +
        'referencia 80861056275. No es tuyo? Responde NO. Crédito del Barrio 55 1234 5678',
    ],
    [
      'payment-received',
      { amountCents: 50_000, leftCents: 75_000 },
      'Recibimos tu pago de $500.00. Gracias. Te falta pagar $750.00. ' +
        'Crédito del Barrio 55 1234 5678',
    ],
    [
      'payment-received',
      { amountCents: 50_000, leftCents: 0 },
      'Recibimos tu pago de $500.00. Gracias. Ya no debes nada. Crédito del Barrio 55 1234 5678',
    ],
    [
      'payment-reversed',
      { amountCents: 50_000, leftCents: 105_800, reference: '808610562759' },
      'Quitamos el pago de $500.00: fue devuelto o no era tuyo. Debes $1,058.00, ' +
        'tu referencia es 808610562759. Dudas: Crédito del Barrio 55 1234 5678',
    ],
    [
      'payment-reversed',
      { amountCents: 50_000, leftCents: 0, reference: '808610562759' },
      'Quitamos el pago de $500.00: fue devuelto o no era tuyo. No debes nada. ' +
        'Dudas: Crédito del Barrio 55 1234 5678',
    ],
    [
      'order-credited',
      { amountCents: 12_000, leftCents: 40_900, wholesaler: 'El Ñandu' },
      'Te descontamos $120.00 de tu pedido de El Ñandu. Te falta pagar $409.00. ' +
        'Crédito del Barrio 55 1234 5678',
    ],
    [
      'order-credited',
      { amountCents: 12_000, leftCents: 0, wholesaler: 'El Ñandu' },
      'Te descontamos $120.00 de tu pedido de El Ñandu. Ya no debes nada. ' +
        'Crédito del Barrio 55 1234 5678',
    ],
    [
      'payment-due',
      A_DEBT,
      'Tu pago de $1,250.00 por tu pedido de El Ñandu vence el 7 dic. ' +
        'Tu referencia es 80861056275. Crédito del Barrio 55 1234 5678',
    ],
    [
      'payment-overdue',
      A_DEBT,
      'Desde el 7 dic debes $1,250.00 de tu pedido de El Ñandu. ' +
        'Tu referencia es 80861056275. Dudas: Crédito del Barrio 55 1234 5678',
    ],
    [
      'default-withdrawn',
      { wholesaler: 'El Ñandu', dueOn: '2026-12-07' },
      'Ya vimos que pagaste a tiempo tu pedido de El Ñandu, que vencia el 7 dic. ' +
        'Quitamos el aviso de atraso. Disculpa. Crédito del Barrio 55 1234 5678',
    ],
    [
      'store-approved',
      { creditLimitCents: 2_000_000 },
      'Ya puedes comprar a crédito con Crédito del Barrio: hasta $20,000.00. ' +
        'Avisa a tu proveedor. Dudas: 55 1234 5678',
    ],
    [
      'store-approved',
      { creditLimitCents: 0 },
      'Ya puedes comprar a crédito con Crédito del Barrio. ' +
        'Avisa a tu proveedor. Dudas: 55 1234 5678',
    ],
    [
      'phone-changed',
      { phoneMasked: '********5678' },
      'El celular de tu cuenta ahora termina en 5678. ' +
        'Si no lo pediste, llama a Crédito del Barrio al 55 1234 5678.',
    ],
  ])('%s in full', (template, values, text) => {
    expect(renderText(template, values, LENDER)).toBe(text);
  });

  test('a code comes first and is the only six digits, whatever amount and names stand beside it', () => {
    fc.assert(
      fc.property(longest, (all) => {
        const wrong = all.filter(({ template, text }) => {
          const [code = '', ...rest] = text.split(' ');
          const others = digitGroups(rest.join(' ').replace('55 1234 5678', ''));
          const isAlone = others.every((group) => group.replace(/\D/g, '').length < 4);
          return template.endsWith('-code') && !(/^\d{6}$/.test(code) && isAlone);
        });
        expect(wrong).toEqual([]);
      }),
      { numRuns: 250 },
    );
  });

  test('every text is one SMS in GSM-7, names the lender’s phone, and holds no link and no "préstamo"', () => {
    fc.assert(
      fc.property(longest, (all) => {
        const wrong = all.filter(
          ({ text }) =>
            toGsm7(text) !== text || text.length > ONE_SMS || !text.includes('55 1234 5678'),
        );
        expect(wrong).toEqual([]);
      }),
      { numRuns: 250 },
    );
    const names = fc.sample(longest, 1)[0]?.map(({ text }) => text) ?? [];
    expect(names.join(' ')).not.toMatch(/https?:|www\.|pr[eé]stamo/i);
  });

  test('a receipt and an approval name the page of the account where it fits', () => {
    const lender = { ...LENDER, accountPage: 'fiado.example/mi' };
    const received = { amountCents: 50_000, leftCents: 0 };
    expect(renderText('payment-received', received, lender)).toBe(
      'Recibimos tu pago de $500.00. Gracias. Ya no debes nada. ' +
        'Crédito del Barrio 55 1234 5678 Tu cuenta: fiado.example/mi',
    );
    expect(renderText('store-approved', { creditLimitCents: 0 }, lender)).toMatch(
      / Tu cuenta: fiado\.example\/mi$/,
    );
    const long = { ...lender, accountPage: `${'fiado.'.repeat(20)}example/mi` };
    expect(renderText('payment-received', received, long)).not.toContain('Tu cuenta');
  });

  test('a text that asks to pay holds no address', () => {
    const lender = { ...LENDER, accountPage: 'fiado.example/mi' };
    for (const template of ['payment-due', 'payment-overdue'] as const) {
      expect(renderText(template, A_DEBT, lender)).not.toContain('fiado.example');
    }
    const delivered = { ...A_DEBT, totalCents: 99_905 };
    expect(renderText('delivered', delivered, lender)).not.toContain('fiado.example');
  });

  test('a delivery names the places to pay that fit into one SMS', () => {
    const LONG = 'Supermegadistribuidora';
    const textWith = (places: string[], wholesaler = 'El Ñandú') =>
      renderText('delivered', { ...A_DEBT, totalCents: 99_905, wholesaler }, { ...LENDER, places });
    expect(textWith([])).toContain('Paga a mas tardar el 7 dic,');
    const places = ['OXXO', 'Kiosko', 'Súper K'];
    expect(textWith(places)).toMatch(/Paga en OXXO a mas.* No es tuyo\? Responde NO\. /);
    // Where there is no room to say how to deny it.
    expect(textWith(places, LONG)).toContain('Paga en OXXO o Kiosko a mas');
    expect(textWith(['OXXO', 'Farmacias del Ahorro'], LONG)).toContain('Paga en OXXO a mas');
    expect(textWith(['Farmacias del Ahorro'], LONG)).toContain('Paga a mas');
  });

  test('a name is cut at a word, and only where the text would be two SMS', () => {
    const wholesaler = 'Distribuidora de la Costa y Sierra';
    const values = { word: 'LimonTambor', wholesaler, amountCents: 100 };
    const short = { ...values, word: 'FerrocarrilRinoceronte', amountCents: 100_000_000 };
    expect(renderText('delivery-word', values, LENDER)).toContain(`de ${wholesaler}. `);
    expect(renderText('delivery-word', short, LENDER)).toContain('de Distribuidora de la Costa. ');
  });

  test('a name that GSM-7 cannot write at all becomes "tu proveedor"', () => {
    const values = { code: '042137', amountCents: 100, wholesaler: '商店 1234' };
    expect(renderText('order-code', values, LENDER)).toContain(
      'tu pedido de $1.00 con tu proveedor.',
    );
  });
});

describe('templates of WhatsApp', () => {
  test.each(WHATSAPP_TEMPLATES)(
    '%s ends and begins with words, and each of its variables has a text',
    (template) => {
      const { text, variables } = renderForWhatsapp(
        template,
        MESSAGES[template].longest as never,
        LENDER,
      );
      expect(variables.length).toBeGreaterThan(0);
      for (const variable of variables) {
        expect(variable).toMatch(/^\S.*\S$/);
        expect(text.startsWith(variable) || text.endsWith(variable)).toBe(false);
      }
      // Another message of the template differs in its variables alone.
      const zero = Object.fromEntries(
        Object.entries(MESSAGES[template].longest).map(([name, value]) => [
          name,
          name === 'leftCents' ? 0 : value,
        ]),
      );
      const other = renderForWhatsapp(template, zero as never, LENDER);
      const numbered = (one: typeof other) =>
        one.variables.reduce(
          (words, variable, at) => words.replace(variable, `{{${at + 1}}}`),
          one.text,
        );
      expect(numbered(other)).toBe(numbered({ text, variables }));
    },
  );

  test('none carries a code or the delivery word', () => {
    const secret = MESSAGE_TEMPLATES.filter((one) =>
      /code|word/.test(Object.keys(MESSAGES[one].longest).join()),
    );
    expect(secret).toEqual(['verification-code', 'account-code', 'order-code', 'delivery-word']);
    expect(WHATSAPP_TEMPLATES.filter((one) => secret.includes(one))).toEqual([]);
  });
});
