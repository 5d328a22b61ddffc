import { Transform, Type } from 'class-transformer';
import {
  IsDefined,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsString,
  MaxLength,
  ValidateNested,
} from '@fiado/contracts/class-validator';
import { type NoteIgnored, validInstance } from '@fiado/chassis/validation';
import { About, DescribedAs } from '@fiado/contracts/about';
import { allOf, IsNonEmptyText } from '@fiado/contracts/decorators';
import { ValidationError } from '@fiado/contracts/errors';
import {
  BUSINESS_LIFETIMES,
  CORNER_STORE_TYPES,
  type CornerStoreInformation,
  type ImageStep,
  type ImageWarning,
  isImageStep,
  LOCALE_OWNERS,
  MAX_IMAGE_BYTES,
  MAX_STORE_ADDRESS,
  MAX_STORE_NAME,
  ONBOARDING_STEPS,
  type OnboardingStep,
  OWNERSHIP_STATUSES,
} from '@fiado/contracts/onboarding';
import { cornerStoreInformation } from '../corner-stores/corner-store-details';
import {
  decodeBase64,
  FILE_EXTENSIONS,
  type FileExtension,
  imageProblem,
  imageWarnings,
  readImageHeader,
} from '../documents/image.rules';

/** Base64 has four characters for three bytes, so the size is known before decoding. */
const MAX_BASE64 = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

/** The fields of all steps; they decide which of the bodies below applies. */
export class StepBody {
  @About('Step of the onboarding')
  @IsIn(ONBOARDING_STEPS)
  step: OnboardingStep = 'DOCUMENT_IMAGE_FRONTAL';
}

class DocumentBody {
  @About('Type of the image')
  @IsIn(FILE_EXTENSIONS)
  fileExtension: FileExtension;

  @About(
    'The image in base64, up to 5 MB when decoded; it must be of the type that is given',
    '/9j/4AAQSkZJRgABAQAAAQABAAD/2wBD',
  )
  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_BASE64, { message: '$property must hold an image of at most 5 MB' })
  base64Content: string;
}

export class ImageStepBody {
  @About('The image, for the steps with an image')
  @IsOne(() => DocumentBody)
  document: DocumentBody;
}

@DescribedAs(cornerStoreInformation.properties)
class InformationBody implements CornerStoreInformation {
  @IsOneOf(CORNER_STORE_TYPES)
  cornerStoreType: CornerStoreInformation['cornerStoreType'];

  @IsOneOf(BUSINESS_LIFETIMES)
  businessLifetime: CornerStoreInformation['businessLifetime'];

  @IsOneOf(OWNERSHIP_STATUSES)
  ownershipStatus: CornerStoreInformation['ownershipStatus'];

  @IsNonEmptyText(MAX_STORE_NAME)
  cornerStoreName: string;

  @IsNonEmptyText(MAX_STORE_ADDRESS)
  cornerStoreAddress: string;

  @IsOneOf(LOCALE_OWNERS)
  localeOwner: CornerStoreInformation['localeOwner'];
}

export class InformationStepBody {
  @About('Data of the store; for `CORNER_STORE_NAME_UPDATE` only its name')
  @IsOne(() => InformationBody)
  information: InformationBody;
}

class NameBody {
  @IsNonEmptyText(MAX_STORE_NAME)
  cornerStoreName: string;
}

export class NameStepBody {
  @IsOne(() => NameBody)
  information: NameBody;
}

/** One of our words, also with its accents as marks of their own (NFD), as some keyboards write them. */
function IsOneOf(words: readonly string[]): PropertyDecorator {
  const composed = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? value.normalize('NFC') : value,
  );
  return allOf(composed, IsIn(words));
}

/** A JSON object of that class. @ValidateNested alone would take an array of them. */
function IsOne(itemClass: () => new () => object): PropertyDecorator {
  const decorators = [IsDefined(), IsObject(), ValidateNested(), Type(itemClass)];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** The content of a step. */
export type StepContent =
  | { step: ImageStep; image: Buffer; warnings: ImageWarning[] }
  | { step: 'CORNER_STORE_INFORMATION'; name: string; information: CornerStoreInformation }
  | { step: 'CORNER_STORE_NAME_UPDATE'; name: string }
  | { step: 'COMPLETED' };

/**
 * @param noteIgnored takes the fields that the step does not have
 * @throws ValidationError for a body that is not its step's
 */
export function contentOf(json: unknown, noteIgnored: NoteIgnored = () => undefined): StepContent {
  const ofStep: string[] = [];
  const { step } = validInstance(StepBody, json, (path) => ofStep.push(path));
  if (step === 'COMPLETED') {
    ofStep.forEach(noteIgnored);
    return { step };
  }
  const noteBeside: NoteIgnored = (path) => {
    if (path !== 'step') noteIgnored(path);
  };
  if (isImageStep(step)) return imageOf(step, validInstance(ImageStepBody, json, noteBeside));
  if (step === 'CORNER_STORE_NAME_UPDATE') {
    const { information } = validInstance(NameStepBody, json, noteBeside);
    return { step, name: information.cornerStoreName };
  }
  return informationOf(validInstance(InformationStepBody, json, noteBeside));
}

function informationOf({ information }: InformationStepBody): StepContent {
  const { cornerStoreType, businessLifetime, ownershipStatus } = information;
  const { cornerStoreName, cornerStoreAddress, localeOwner } = information;
  return {
    step: 'CORNER_STORE_INFORMATION',
    name: cornerStoreName,
    information: {
      cornerStoreType,
      businessLifetime,
      ownershipStatus,
      cornerStoreAddress,
      localeOwner,
    },
  };
}

function imageOf(step: ImageStep, { document }: ImageStepBody): StepContent {
  const image = decodeBase64(document.base64Content);
  if (image === undefined) {
    throw new ValidationError(['document.base64Content must be base64 without line breaks']);
  }
  const header = readImageHeader(image);
  const problem = imageProblem(header, document.fileExtension);
  if (header === undefined || problem !== undefined) {
    throw new ValidationError([`document.${problem}`]);
  }
  return { step, image, warnings: imageWarnings(header, image.length) };
}
