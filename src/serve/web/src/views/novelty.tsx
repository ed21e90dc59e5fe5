import { t } from "../i18n";
import type { View } from "./view";

const Novelty: View = () => <p>{t("comingSoon")}</p>;
export default Novelty;
