import { Type } from 'class-transformer';
import {
  IsDefined,
  IsIn,
  IsNotEmpty,
  IsObject,
  IsString,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsNonEmptyText } from '@fiado/contracts/decorators';
import {
  BUSINESS_LIFETIMES,
  CORNER_STORE_TYPES,
  LOCALE_OWNERS,
  MAX_IMAGE_BYTES,
  MAX_STORE_ADDRESS,
  MAX_STORE_NAME,
  ONBOARDING_STEPS,
  OWNERSHIP_STATUSES,
  type CornerStoreInformation,
  type OnboardingStep,
} from '@fiado/contracts/onboarding';
import { FILE_EXTENSIONS, type FileExtension } from '../domain/image';

/** Base64 has four characters for three bytes, so the size is known before decoding. */
const MAX_BASE64 = Math.ceil(MAX_IMAGE_BYTES / 3) * 4;

/** A JSON object of that class. @ValidateNested alone would take an array of them. */
function IsOne(itemClass: () => new () => object): PropertyDecorator {
  const decorators = [IsDefined(), IsObject(), ValidateNested(), Type(itemClass)];
  return (target, property) => {
    for (const decorate of decorators) decorate(target, property);
  };
}

/** What all steps have; which of the bodies below applies depends on it. */
export class StepBody {
  @IsIn(ONBOARDING_STEPS)
  step: OnboardingStep = 'DOCUMENT_IMAGE_FRONTAL';
}

class DocumentBody {
  @IsIn(FILE_EXTENSIONS)
  fileExtension: FileExtension;

  @IsString()
  @IsNotEmpty()
  @MaxLength(MAX_BASE64, { message: '$property must hold an image of at most 5 MB' })
  base64Content: string;
}

export class ImageStepBody {
  @IsOne(() => DocumentBody)
  document: DocumentBody;
}

class InformationBody implements CornerStoreInformation {
  @IsIn(CORNER_STORE_TYPES)
  cornerStoreType: CornerStoreInformation['cornerStoreType'];

  @IsIn(BUSINESS_LIFETIMES)
  businessLifetime: CornerStoreInformation['businessLifetime'];

  @IsIn(OWNERSHIP_STATUSES)
  ownershipStatus: CornerStoreInformation['ownershipStatus'];

  @IsNonEmptyText(MAX_STORE_NAME)
  cornerStoreName: string;

  @IsNonEmptyText(MAX_STORE_ADDRESS)
  cornerStoreAddress: string;

  @IsIn(LOCALE_OWNERS)
  localeOwner: CornerStoreInformation['localeOwner'];
}

export class InformationStepBody {
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
