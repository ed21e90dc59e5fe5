import { t } from "../i18n";
import type { View } from "./view";

const Explorer: View = () => <p>{t("comingSoon")}</p>;
export default Explorer;
