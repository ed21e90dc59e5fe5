import { t } from "../i18n";
import type { View } from "./view";

const Patterns: View = () => <p>{t("comingSoon")}</p>;
export default Patterns;
