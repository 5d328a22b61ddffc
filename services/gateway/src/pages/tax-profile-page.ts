import type { Request, RequestHandler } from 'express';
import { html, type Html } from '@fiado/chassis/html';
import {
  MAX_TYPED,
  type TaxProfile,
  type VisitTaxProfileAnswer,
  visitTaxProfileCall,
  type VisitTaxProfileQuestion,
} from '@fiado/contracts/tax-profile';
import type { Context } from '../context';
import { formField, type FormField } from './form-field';
import { textIn } from './forms';
import { noticeOf, problem, type Notice, type Page } from './layout';
import { sendPage } from './send-page';
import { BACK, PATH, tokenOf } from './visit';

export const TAX_PROFILE_PATH = `${PATH}/factura`;

/** Codes of the tax authority, and what it calls them. */
type Codes = ReadonlyArray<readonly [code: string, name: string]>;

/** Options that show the code and its name. */
const withCodes = (codes: Codes): Codes => codes.map(([code, name]) => [code, `${code} ${name}`]);

/** As the tax authority names them (c_RegimenFiscal), the ones of most stores first. */
const REGIMES: Codes = [
  ['626', 'Simplificado de Confianza (RESICO)'],
  ['612', 'Personas Físicas con Actividades Empresariales y Profesionales'],
  ['621', 'Incorporación Fiscal'],
  ['625', 'Plataformas Tecnológicas'],
  ['605', 'Sueldos y Salarios'],
  ['606', 'Arrendamiento'],
  ['616', 'Sin obligaciones fiscales'],
  ['601', 'General de Ley Personas Morales'],
  ['603', 'Personas Morales con Fines no Lucrativos'],
  ['607', 'Enajenación o Adquisición de Bienes'],
  ['608', 'Demás ingresos'],
  ['610', 'Residentes en el Extranjero'],
  ['611', 'Ingresos por Dividendos'],
  ['614', 'Ingresos por intereses'],
  ['615', 'Ingresos por obtención de premios'],
  ['620', 'Sociedades Cooperativas de Producción'],
  ['622', 'Actividades Agrícolas, Ganaderas, Silvícolas y Pesqueras'],
  ['623', 'Opcional para Grupos de Sociedades'],
  ['624', 'Coordinados'],
];

/** Of c_UsoCFDI, those that goods for a store may have. */
const USES: Codes = [
  ['G01', 'Adquisición de mercancías'],
  ['G03', 'Gastos en general'],
  ['S01', 'Sin efectos fiscales'],
];

const FIELDS: Array<FormField & { name: keyof TaxProfile }> = [
  {
    name: 'rfc',
    label: 'RFC',
    maxLength: 20,
    wrong: 'Escribe el RFC completo: 13 letras y números de una persona, 12 de una empresa.',
  },
  {
    name: 'legalName',
    label: 'Nombre o razón social',
    hint: 'Tal como viene en tu Constancia, sin “SA de CV”.',
    maxLength: MAX_TYPED,
    wrong: 'Escríbelo tal como viene en tu Constancia, sin “SA de CV” ni otro tipo de sociedad.',
  },
  {
    name: 'taxRegime',
    label: 'Régimen fiscal',
    options: withCodes(REGIMES),
    wrong: 'Elige el régimen de tu Constancia: este no es para ese RFC.',
  },
  {
    name: 'postalCode',
    label: 'Código postal de tu domicilio fiscal',
    maxLength: 10,
    wrong: 'Escribe los cinco números del código postal.',
  },
  {
    name: 'cfdiUse',
    label: 'Uso de la factura',
    options: withCodes(USES),
    wrong: 'Elige otro uso: tu régimen no permite este.',
  },
  {
    name: 'email',
    label: 'Correo para recibirla (opcional)',
    type: 'email',
    autocomplete: 'email',
    maxLength: MAX_TYPED,
    wrong: 'Revisa el correo, o déjalo vacío.',
    isOptional: true,
  },
];

const SAVED: Notice = {
  status: 200,
  text: 'Listo: tus próximas facturas salen con estos datos.',
  problem: false,
};
const REMOVED: Notice = {
  status: 200,
  text: 'Quitamos tus datos. Tus próximas compras traen un recibo.',
  problem: false,
};
const NOT_VALID = problem(422, 'Revisa los datos marcados: el SAT no los aceptaría.');

/** What was typed, and which fields are wrong. */
interface Typed {
  values: Partial<Record<keyof TaxProfile, string>>;
  wrong: Array<keyof TaxProfile>;
}

const NOTHING_TYPED: Typed = { values: {}, wrong: [] };

/** GET /mi/factura. */
export function handleShowTaxProfile(context: Context): RequestHandler {
  return async (req, res) => {
    const answer = await ask(context, req);
    if (answer.state === 'ended') return res.redirect(303, PATH);
    const { aviso } = req.query;
    const notice = aviso === 'guardado' ? SAVED : aviso === 'quitado' ? REMOVED : undefined;
    sendPage(res, pageOf(answer.hasTaxProfile, NOTHING_TYPED, notice));
  };
}

/** POST /mi/factura: the form. It is shown again with what is wrong. */
export function handleSetTaxProfile(context: Context): RequestHandler {
  return async (req, res) => {
    const typed = profileIn(req.body);
    const answer = await ask(context, req, { profile: typed });
    if (answer.state === 'ended') return res.redirect(303, PATH);
    const { hasTaxProfile, wrong } = answer;
    if (wrong.length === 0) return res.redirect(303, `${TAX_PROFILE_PATH}?aviso=guardado`);
    sendPage(res, pageOf(hasTaxProfile, { values: { ...typed }, wrong }, NOT_VALID));
  };
}

/** POST /mi/factura/quitar. */
export function handleRemoveTaxProfile(context: Context): RequestHandler {
  return async (req, res) => {
    const { state } = await ask(context, req, { remove: true });
    res.redirect(303, state === 'ended' ? PATH : `${TAX_PROFILE_PATH}?aviso=quitado`);
  };
}

async function ask(
  { accounts }: Context,
  req: Request,
  change?: Omit<VisitTaxProfileQuestion, 'token'>,
): Promise<VisitTaxProfileAnswer> {
  const token = tokenOf(req);
  if (token === undefined) return { state: 'ended' };
  return change === undefined
    ? accounts.ask(visitTaxProfileCall, { token })
    : accounts.tell(visitTaxProfileCall, { token, ...change });
}

/** The form as the tax authority writes it: in capitals, without what people put between. */
function profileIn(form: unknown): TaxProfile {
  const text = (name: keyof TaxProfile): string =>
    textIn(form, name, MAX_TYPED)
      .replaceAll(/[\p{Cc}\s]+/gu, ' ')
      .trim();
  const together = (name: keyof TaxProfile): string => text(name).replaceAll(/[\s.-]/g, '');
  const email = text('email');
  return {
    rfc: together('rfc').toUpperCase(),
    legalName: text('legalName').toUpperCase(),
    taxRegime: text('taxRegime'),
    postalCode: together('postalCode'),
    cfdiUse: text('cfdiUse'),
    ...(email !== '' && { email }),
  };
}

/** What is stored is never shown: a stranger with the phone in hand would read it. */
function pageOf(hasTaxProfile: boolean, { values, wrong }: Typed, notice?: Notice): Page {
  const state = hasTaxProfile
    ? 'Ya tenemos tus datos: tus mayoristas te facturan a tu nombre. Por tu seguridad no los mostramos. Si cambiaron, escríbelos otra vez.'
    : '¿Quieres que tus mayoristas te facturen a tu nombre? Escribe los datos de tu Constancia de Situación Fiscal. Sin ellos, solo pueden darte un recibo.';
  return {
    status: notice?.status ?? 200,
    title: 'Datos para facturar',
    progress: html`<p class="step">Mi cuenta</p>`,
    content: html`${noticeOf(notice)}
      <p>${state}</p>
      <form method="post" action="${TAX_PROFILE_PATH}">
        ${FIELDS.map((field) => formField(field, values[field.name] ?? '', wrong.includes(field.name)))}
        <button type="submit">Guardar</button>
      </form>`,
    cards: [...(hasTaxProfile ? [removeForm()] : []), BACK],
  };
}

function removeForm(): Html {
  return html`<p>
      Si los quitas, tus próximas compras traen un recibo. Las facturas ya hechas no cambian.
    </p>
    <form method="post" action="${TAX_PROFILE_PATH}/quitar">
      <button type="submit" class="second">Quitar mis datos</button>
    </form>`;
}
