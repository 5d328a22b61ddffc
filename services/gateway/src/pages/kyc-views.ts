import { html, type Html } from '@fiado/chassis/html';
import type { ImageStep } from '@fiado/contracts/onboarding';
import { noticeOf, problem, type Lender, type Notice, type Page } from './layout';

/** A screen that takes one picture. */
export interface PhotoStep {
  step: ImageStep;
  /** The last part of its address. */
  path: string;
  title: string;
  label: string;
  hint: string;
  /** Which camera of the phone opens. */
  camera: 'environment' | 'user';
}

export const PHOTO_STEPS: PhotoStep[] = [
  {
    step: 'DOCUMENT_IMAGE_FRONTAL',
    path: 'frente',
    title: 'Frente de tu identificación',
    label: 'Foto del frente de tu identificación oficial',
    hint: 'Usa tu INE vigente. Ponla sobre una mesa, con buena luz: debe verse completa y poder leerse.',
    camera: 'environment',
  },
  {
    step: 'DOCUMENT_IMAGE_BACK',
    path: 'reverso',
    title: 'Reverso de tu identificación',
    label: 'Foto del reverso de tu identificación oficial',
    hint: 'Voltea tu identificación y toma la foto igual: completa, con buena luz y sin reflejos.',
    camera: 'environment',
  },
  {
    step: 'SELFIE_IMAGE',
    path: 'cara',
    title: 'Foto de tu cara',
    label: 'Foto de tu cara',
    hint: 'Tómala de frente, con buena luz y sin gorra, lentes ni cubrebocas.',
    camera: 'user',
  },
  {
    step: 'STORE_IMAGE',
    path: 'tienda',
    title: 'Foto de tu tienda',
    label: 'Foto de la entrada de tu tienda',
    hint: 'Tómala desde la calle, de día, para que se vea la entrada.',
    camera: 'environment',
  },
];

export function photoStepOf(path: string): PhotoStep | undefined {
  return PHOTO_STEPS.find((photo) => photo.path === path);
}

/** Address of the script that shrinks pictures; no token has a point in it. */
export const PHOTO_SCRIPT_PATH = '/kyc/foto.js';
const CONSENT_PATH = 'aviso';
export const STORE_DATA_PATH = 'datos';
const FINISH_PATH = 'terminar';
/** Screens that the progress counts: the consent, the pictures and the store's data. */
export const SCREENS = PHOTO_STEPS.length + 2;
export const SAVED: Notice = { status: 200, text: 'Listo, lo guardamos.', problem: false };

/** What may be wrong with a picture that is kept: what is seen, and what helps. */
export const FLAWS = {
  chica: 'se ve chica y quizá no se lea. Acércate más.',
  borrosa: 'se ve borrosa y quizá no se lea. Limpia la cámara y no muevas el celular.',
};

/** A picture that is kept but may not be readable. @param path of the link */
export function flawedPhoto(
  path: string,
  { path: step, title }: PhotoStep,
  flaw: keyof typeof FLAWS,
): Notice {
  return {
    status: 200,
    text: `Guardamos la foto (${title.toLowerCase()}), pero ${FLAWS[flaw]}`,
    problem: true,
    link: { path: `${path}/${step}`, text: 'Tomar otra' },
  };
}

// A picture that is refused counts against the limits of bodies, as any 400 does.
export const NO_PHOTO = problem(400, 'Falta la foto. Tómala y vuelve a enviarla.');

export const NOT_A_PHOTO = problem(
  400,
  'Ese archivo no es una foto JPG o PNG. Toma la foto con la cámara de tu celular.',
);

export const UNREADABLE_PHOTO = problem(
  400,
  'No pudimos abrir esa foto. Tómala otra vez; si pesa mucho, con menos calidad.',
);

export const TOO_LARGE_PHOTO = problem(
  413,
  'Esa foto pesa más de 5 MB. Elige menos calidad en tu cámara y tómala otra vez.',
);

export const TOO_SLOW_PHOTO = problem(
  408,
  'Tu internet está muy lento y la foto no llegó. Elige menos calidad en tu cámara, o conéctate a un wifi, y tómala otra vez.',
);

export const TOO_MANY_PHOTOS = problem(
  422,
  'Ya enviaste esta foto demasiadas veces. Si hace falta cambiarla, pide ayuda a tu proveedor.',
);

export const NO_PHOTOS_TODAY = problem(
  429,
  'Tu proveedor llegó a su límite de fotos de hoy. Pídele otro enlace mañana: lo que ya enviaste queda guardado.',
);

export const BUSY = problem(
  429,
  'Ahora hay muchas fotos en espera. Aguarda un minuto y vuelve a enviarla.',
);

/** The first screen: nothing is taken before the owner consents to the lender's privacy notice. */
export function consentPage(path: string, { name, privacyUrl, privacyVersion }: Lender): Page {
  return {
    status: 200,
    title: 'Abre tu crédito',
    progress: progressOf(1),
    content: html`<p>
        Te vamos a pedir fotos de tu identificación, de tu cara y de tu tienda, y los datos de tu
        negocio. Son unos cinco minutos, y puedes seguir después donde te quedaste.
      </p>
      <p>
        ${name} usa esos datos para revisar tu solicitud de crédito. Antes de empezar, lee su
        <a href="${privacyUrl}" target="_blank" rel="noopener noreferrer">aviso de privacidad</a>.
      </p>
      <form method="post" action="${path}/${CONSENT_PATH}">
        <input type="hidden" name="version" value="${privacyVersion}" />
        <button type="submit">Acepto el aviso de privacidad</button>
      </form>
      <p class="quiet">Si no estás de acuerdo, cierra esta página: no guardamos nada.</p>`,
  };
}

export function photoPage(path: string, photo: PhotoStep, notice?: Notice): Page {
  return {
    status: notice?.status ?? 200,
    title: photo.title,
    progress: progressOf(PHOTO_STEPS.indexOf(photo) + 2),
    script: PHOTO_SCRIPT_PATH,
    content: html`${noticeOf(notice)}
      <p>${photo.hint}</p>
      <form method="post" action="${path}/${photo.path}" enctype="multipart/form-data">
        <label for="photo">${photo.label}</label>
        <input
          id="photo"
          name="photo"
          type="file"
          accept="image/*"
          capture="${photo.camera}"
          required
        />
        <div id="preview" hidden>
          <img class="preview" alt="Tu foto" />
          <p id="warning" class="notice problem" role="status" hidden></p>
          <p><strong>¿Se ve completa y se lee todo?</strong></p>
        </div>
        <button type="submit">Enviar foto</button>
        <button type="button" id="again" class="second" hidden>Tomar otra</button>
        <p id="sending" class="sending" role="status" hidden></p>
      </form>
      <p class="quiet">
        La foto debe ser a color y pesar menos de 5 MB. Con internet lento puede tardar varios
        minutos: no cierres esta página.
      </p>`,
  };
}

/** All is there: the owner may send a step again, or finish. */
export function reviewPage(path: string, notice?: Notice): Page {
  const done = [
    ...PHOTO_STEPS.map((photo) => ({ path: photo.path, label: photo.title })),
    { path: STORE_DATA_PATH, label: 'Datos de tu tienda' },
  ];
  return {
    status: 200,
    title: 'Ya casi terminas',
    progress: html`<p class="step">Último paso</p>`,
    content: html`${noticeOf(notice)}
      <p>Ya tenemos todo. Si quieres cambiar algo, tócalo y envíalo otra vez:</p>
      <ul>
        ${done.map((step) => html`<li><a href="${path}/${step.path}">${step.label}</a></li>`)}
      </ul>
      <form method="post" action="${path}/${FINISH_PATH}">
        <button type="submit">Terminar</button>
      </form>
      <p class="quiet">Al terminar revisamos tus datos y ya no podrás cambiarlos aquí.</p>`,
  };
}

/** @param screen from 1 */
export function progressOf(screen: number): Html {
  return html`<p class="step">Paso ${String(screen)} de ${String(SCREENS)}</p>`;
}

export const IN_REVIEW_PAGE: Page = {
  status: 200,
  title: 'Estamos revisando tus datos',
  content: html`<p>Ya recibimos todo, gracias. No tienes que hacer nada más.</p>
    <p>Tu proveedor te avisará cuando tu crédito esté listo.</p>`,
};

export const APPROVED_PAGE: Page = {
  status: 200,
  title: 'Tu crédito está aprobado',
  content: html`<p>No falta nada. Ya puedes comprar a crédito con tu proveedor.</p>`,
};

export const UNKNOWN_KYC_PAGE: Page = {
  status: 404,
  title: 'Este enlace no sirve o ya caducó',
  content: html`<p>
    Los enlaces duran 24 horas. Revisa que esté completo, tal como te llegó, o pide uno nuevo a tu
    proveedor. Lo que ya enviaste queda guardado.
  </p>`,
};
