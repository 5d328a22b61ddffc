import * as fc from 'fast-check';
import { MAX_AMOUNT_CENTS } from '@fiado/shared/money';
import { toGsm7 } from './gsm7';
import { renderText } from './templates';

/** GSM-7 characters that one SMS holds. */
const ONE_SMS = 160;

const code = fc.integer({ min: 0, max: 999_999 }).map((value) => String(value).padStart(6, '0'));
const amountCents = fc.integer({ min: 1, max: MAX_AMOUNT_CENTS });
const wholesaler = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.stringMatching(/^[A-Za-z .-]{0,8}\d{0,12}[ .-]\d{0,6}[A-Za-z ]{0,8}$/),
);

/** Digits in a row, also over the separators with which people write codes. */
function digitGroups(text: string): string[] {
  return text.match(/\d(?:[ -]?\d)*/g) ?? [];
}

describe('texts', () => {
  test('every text in full', () => {
    expect(renderText('verification-code', { code: '042137' })).toBe(
      '042137 es tu clave de Fiado para verificar tu cuenta. No la compartas con nadie.',
    );
    expect(
      renderText('order-code', { code: '042137', amountCents: 125_000, wholesaler: 'El Ñandú' }),
    ).toBe(
      '042137 es tu clave para confirmar tu pedido de $1,250.00 con El Ñandu. ' +
        'No la compartas con nadie.',
    );
    expect(renderText('delivery-word', { word: 'LimonTambor', wholesaler: '7 Hermanos' })).toBe(
      'Tu palabra de entrega es LimonTambor. Dila al repartidor de 7 Hermanos ' +
        'solo cuando recibas tu pedido.',
    );
    expect(renderText('delivered-amount', { amountCents: 99_905, wholesaler: 'La Luz' })).toBe(
      'El monto final de tu pedido con La Luz es $999.05. ' +
        'Si no es correcto, avisa a tu proveedor.',
    );
    expect(renderText('phone-changed', { phoneMasked: '********5678' })).toBe(
      'El celular de tu cuenta de Fiado ahora termina en 5678. ' +
        'Si no lo pediste, avisa a Fiado.',
    );
    expect(
      renderText('phone-changed', { phoneMasked: '********5678', supportPhone: '55 1234 5678' }),
    ).toBe(
      'El celular de tu cuenta de Fiado ahora termina en 5678. ' +
        'Si no lo pediste, llama a Fiado al 55 1234 5678.',
    );
  });

  test('a code comes first and is the only six digits, whatever amount and name stand beside it', () => {
    fc.assert(
      fc.property(code, amountCents, wholesaler, (code, amountCents, wholesaler) => {
        for (const text of [
          renderText('verification-code', { code }),
          renderText('order-code', { code, amountCents, wholesaler }),
        ]) {
          expect(text.startsWith(`${code} `)).toBe(true);
          const long = digitGroups(text).filter((group) => group.replace(/\D/g, '').length >= 4);
          expect(long).toEqual([code]);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('a text without a code has nothing that looks like one', () => {
    fc.assert(
      fc.property(amountCents, wholesaler, (amountCents, wholesaler) => {
        const texts = [
          renderText('delivery-word', { word: 'MANGO', wholesaler }),
          renderText('delivered-amount', { amountCents, wholesaler }),
        ];
        for (const text of texts) expect(text).not.toMatch(/\d{4}/);
      }),
    );
  });

  test('every text is one SMS in GSM-7', () => {
    fc.assert(
      fc.property(code, amountCents, wholesaler, (code, amountCents, wholesaler) => {
        const texts = [
          renderText('verification-code', { code }),
          renderText('order-code', { code, amountCents, wholesaler }),
          renderText('delivery-word', { word: 'FerrocarrilRinoceronte', wholesaler }),
          renderText('delivered-amount', { amountCents, wholesaler }),
          renderText('phone-changed', {
            phoneMasked: '********5678',
            supportPhone: '+52 55 1234 5678 ext 12',
          }),
        ];
        for (const text of texts) {
          expect(toGsm7(text)).toBe(text);
          expect(text.length).toBeLessThanOrEqual(ONE_SMS);
        }
      }),
    );
  });

  test('a name that GSM-7 cannot write at all becomes "tu proveedor"', () => {
    expect(renderText('delivered-amount', { amountCents: 100, wholesaler: '商店 1234' })).toContain(
      'tu pedido con tu proveedor es $1.00',
    );
  });
});
