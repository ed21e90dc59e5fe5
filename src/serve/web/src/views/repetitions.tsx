import { t } from "../i18n";
import type { View } from "./view";

const Repetitions: View = () => <p>{t("comingSoon")}</p>;
export default Repetitions;
